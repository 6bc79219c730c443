import { type Chapter, type } from './step.ts';

const group = 'appstudio.redhat.com';

export const lookingAround: Chapter = {
  title: 'looking around',
  namespace: 'default',
  steps: [
    type('kubectl version'),
    type('kubectl cluster-info'),
    type('kubectl api-versions', { compared: 'part' }),
    type('kubectl api-resources', { compared: 'part' }),
    type(`kubectl api-resources --api-group=${group} -o wide --sort-by=name`),
    type('kubectl api-resources --namespaced=false --api-group=rbac.authorization.k8s.io -o name'),
    type('kubectl get --raw /healthz'),
    type("kubectl get --raw '/readyz' && kubectl get --raw /livez"),
    type('kubectl get --raw /api/v1/namespaces/default/nothing'),
    type('kubectl get namespaces', { until: /kube-node-lease/, compared: 'part' }),
    type('kubectl get customresourcedefinitions'),
    type(`kubectl wait --for=condition=Established crd/environments.${group} crd/snapshots.${group} --timeout=20s`),
    type(`kubectl get crd environments.${group} -o jsonpath='{.spec.names}{"\\n"}{.status.acceptedNames}{"\\n"}'`),
    type(`kubectl describe crd operations.managed-gitops.redhat.com`),
    // The real server has words of its own for apiVersion, kind and metadata.
    type('kubectl explain environment', { compared: 'fields' }),
    type('kubectl explain environment.spec'),
    type('kubectl explain environments.spec.promotion'),
    type('kubectl explain env.spec.configuration.env --recursive'),
    type('kubectl explain gitopsdeployment --recursive', { compared: 'fields' }),
    type('kubectl explain environment.spec.nothing'),
    type('kubectl explain nothing'),
    type('kubectl explain deployment.spec --recursive', { compared: 'fields' }),
    type('kubectl explain configmap', { compared: 'fields' }),
    type('kubectl get nothing'),
    type('kubectl get all -A', { until: /service\/kubernetes/, compared: 'part' }),
  ],
};
