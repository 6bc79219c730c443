/** A rule of RBAC. */
interface AccessRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const read = ['get', 'list', 'watch'];
const write = ['create', 'update', 'patch', 'delete', 'deletecollection'];

/**
 * What the account of a provisioned namespace may do in there, and nowhere else.
 *
 * Argo CD lists and watches every kind that a namespace can hold, and gives up on the whole cluster where one of them is
 * closed to it: so reading is everything. Writing is what applications are made of. What bounds the namespace is never
 * in it: quotas, limits, the namespace itself. Endpoints are not, because traffic of others could be led by them. Roles
 * and bindings are, and the API server lets nobody hand out more than they have: no `escalate`, `bind` or `impersonate`.
 */
export const accessRules: readonly AccessRule[] = [
  { apiGroups: ['*'], resources: ['*'], verbs: read },
  writing('', [
    'configmaps',
    'events',
    'persistentvolumeclaims',
    'pods',
    'replicationcontrollers',
    'replicationcontrollers/scale',
    'secrets',
    'serviceaccounts',
    'services',
  ]),
  writing('apps', [
    'daemonsets',
    'deployments',
    'deployments/scale',
    'replicasets',
    'replicasets/scale',
    'statefulsets',
    'statefulsets/scale',
  ]),
  writing('batch', ['cronjobs', 'jobs']),
  writing('autoscaling', ['horizontalpodautoscalers']),
  writing('networking.k8s.io', ['ingresses', 'networkpolicies']),
  writing('gateway.networking.k8s.io', ['httproutes']),
  writing('policy', ['poddisruptionbudgets']),
  // Programs that choose a leader come with a Role for it, which only somebody with the same right may make.
  writing('coordination.k8s.io', ['leases']),
  // Without the second one OpenShift lets nobody choose the host of a Route.
  writing('route.openshift.io', ['routes', 'routes/custom-host']),
  writing('rbac.authorization.k8s.io', ['roles', 'rolebindings']),
];

function writing(apiGroup: string, resources: readonly string[]): AccessRule {
  return { apiGroups: [apiGroup], resources, verbs: write };
}
