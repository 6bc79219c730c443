import type { Tree } from '../../domain/overlay/a-repository.ts';

interface UsersBase {
  readonly kustomization?: string;
  readonly metadata?: string;
  readonly main?: string;
  readonly service?: string;
}

const fullContainer = `
        name: main
        image: web:old
        command: [serve]
        env: [{ name: OLD, value: x }, { name: A, valueFrom: { fieldRef: { fieldPath: metadata.name } } }]
        resources: { requests: { memory: 1Gi }, limits: { cpu: "1", memory: 2Gi } }
        ports: [{ name: http, containerPort: 8080, protocol: TCP }, { name: metrics, containerPort: 9090 }]
        readinessProbe: { httpGet: { path: /ready, port: http } }`;

/** A base that a user keeps in apps/base, by default with values of its own for everything that we set. */
export function aUsersBase(
  kind: string,
  { kustomization = '', metadata = '{ name: front }', main = fullContainer, service }: UsersBase = {},
): Tree {
  const resources = service === undefined ? '[workload.yaml]' : '[service.yaml, workload.yaml]';
  return {
    'apps/base/kustomization.yaml': `resources: ${resources}\n${kustomization}`,
    'apps/base/workload.yaml': `apiVersion: apps/v1
kind: ${kind}
metadata: ${metadata}
spec:
  selector: { matchLabels: { app: front } }
  template:
    metadata: { labels: { app: front } }
    spec:
      imagePullSecrets: [{ name: theirs }]
      containers:
      - ${main.trimStart()}
      - { name: sidecar, image: "sidecar:1", env: [{ name: OLD, value: stays }] }
`,
    ...(service !== undefined && {
      'apps/base/service.yaml': `apiVersion: v1
kind: Service
metadata: { name: ${service} }
spec: { selector: { app: front }, ports: [{ port: 80, targetPort: http }] }
`,
    }),
  };
}

/** As the generator of HAS left it. */
export const aHasRepository: Tree = {
  'components/web/base/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
- deployment.yaml
- service.yaml
`,
  'components/web/base/deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  creationTimestamp: null
  labels:
    app.kubernetes.io/instance: web
  name: web
spec:
  replicas: 1
  selector:
    matchLabels:
      app.kubernetes.io/instance: web
  strategy: {}
  template:
    metadata:
      creationTimestamp: null
      labels:
        app.kubernetes.io/instance: web
    spec:
      containers:
      - env:
        - name: OLD
          value: "1"
        image: quay.io/team/web:old
        imagePullPolicy: Always
        name: container-image
        ports:
        - containerPort: 8080
        resources:
          limits:
            cpu: "2"
status: {}
`,
  'components/web/base/service.yaml': `apiVersion: v1
kind: Service
metadata:
  creationTimestamp: null
  name: web
spec:
  ports:
  - port: 8080
    targetPort: 8080
  selector:
    app.kubernetes.io/instance: web
status:
  loadBalancer: {}
`,
  'components/web/overlays/dev/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
patches:
- path: deployment-patch.yaml
resources:
- ../../base
- route.yaml
`,
  'components/web/overlays/dev/deployment-patch.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  creationTimestamp: null
  name: web
spec:
  selector: {}
`,
  'components/web/overlays/dev/route.yaml': `apiVersion: route.openshift.io/v1
kind: Route
metadata:
  creationTimestamp: null
  name: webabcd
`,
};
