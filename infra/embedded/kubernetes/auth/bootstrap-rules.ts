const read = ['get', 'list', 'watch'];
const write = ['create', 'delete', 'deletecollection', 'patch', 'update'];
const all = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

type Rule = Readonly<Record<string, readonly string[]>>;

function on(verbs: readonly string[], apiGroups: readonly string[], resources: readonly string[]): Rule {
  return { verbs, apiGroups, resources };
}

function onPaths(verbs: readonly string[], nonResourceURLs: readonly string[]): Rule {
  return { verbs, nonResourceURLs };
}

/** The rules of the roles that are there from the start, by the name of the role. */
export const bootstrapRules: Readonly<Record<string, readonly Rule[]>> = {
  'cluster-admin': [on(['*'], ['*'], ['*']), onPaths(['*'], ['*'])],
  'system:aggregate-to-admin': [
    on(['create'], ['authorization.k8s.io'], ['localsubjectaccessreviews']),
    on(all, ['rbac.authorization.k8s.io'], ['rolebindings', 'roles']),
  ],
  'system:aggregate-to-edit': [
    on(read, [''], ['pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy', 'secrets', 'services/proxy']),
    on(['impersonate'], [''], ['serviceaccounts']),
    on(write, [''], ['pods', 'pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy']),
    on(['create'], [''], ['pods/eviction']),
    on(
      write,
      [''],
      [
        'configmaps',
        'persistentvolumeclaims',
        'replicationcontrollers',
        'replicationcontrollers/scale',
        'secrets',
        'serviceaccounts',
        'services',
        'services/proxy',
      ],
    ),
    on(['create'], [''], ['serviceaccounts/token']),
    on(write, ['', 'events.k8s.io'], ['events']),
    on(
      write,
      ['apps'],
      [
        'daemonsets',
        'deployments',
        'deployments/rollback',
        'deployments/scale',
        'replicasets',
        'replicasets/scale',
        'statefulsets',
        'statefulsets/scale',
      ],
    ),
    on(write, ['autoscaling'], ['horizontalpodautoscalers']),
    on(write, ['batch'], ['cronjobs', 'jobs']),
    on(
      write,
      ['extensions'],
      [
        'daemonsets',
        'deployments',
        'deployments/rollback',
        'deployments/scale',
        'ingresses',
        'networkpolicies',
        'replicasets',
        'replicasets/scale',
        'replicationcontrollers/scale',
      ],
    ),
    on(write, ['policy'], ['poddisruptionbudgets']),
    on(write, ['networking.k8s.io'], ['ingresses', 'networkpolicies']),
    on(all, ['coordination.k8s.io'], ['leases']),
    on(write, ['resource.k8s.io'], ['resourceclaims', 'resourceclaimtemplates']),
  ],
  'system:aggregate-to-view': [
    on(
      read,
      [''],
      [
        'configmaps',
        'endpoints',
        'persistentvolumeclaims',
        'persistentvolumeclaims/status',
        'pods',
        'replicationcontrollers',
        'replicationcontrollers/scale',
        'serviceaccounts',
        'services',
        'services/status',
      ],
    ),
    on(
      read,
      [''],
      [
        'bindings',
        'limitranges',
        'namespaces/status',
        'pods/log',
        'pods/status',
        'replicationcontrollers/status',
        'resourcequotas',
        'resourcequotas/status',
      ],
    ),
    on(read, [''], ['namespaces']),
    on(read, ['', 'events.k8s.io'], ['events']),
    on(read, ['discovery.k8s.io'], ['endpointslices']),
    on(
      read,
      ['apps'],
      [
        'controllerrevisions',
        'daemonsets',
        'daemonsets/status',
        'deployments',
        'deployments/scale',
        'deployments/status',
        'replicasets',
        'replicasets/scale',
        'replicasets/status',
        'statefulsets',
        'statefulsets/scale',
        'statefulsets/status',
      ],
    ),
    on(read, ['autoscaling'], ['horizontalpodautoscalers', 'horizontalpodautoscalers/status']),
    on(read, ['batch'], ['cronjobs', 'cronjobs/status', 'jobs', 'jobs/status']),
    on(
      read,
      ['extensions'],
      [
        'daemonsets',
        'daemonsets/status',
        'deployments',
        'deployments/scale',
        'deployments/status',
        'ingresses',
        'ingresses/status',
        'networkpolicies',
        'replicasets',
        'replicasets/scale',
        'replicasets/status',
        'replicationcontrollers/scale',
      ],
    ),
    on(read, ['policy'], ['poddisruptionbudgets', 'poddisruptionbudgets/status']),
    on(read, ['networking.k8s.io'], ['ingresses', 'ingresses/status', 'networkpolicies']),
    on(read, ['resource.k8s.io'], ['resourceclaims', 'resourceclaims/status', 'resourceclaimtemplates']),
  ],
  'system:basic-user': [
    on(['create'], ['authorization.k8s.io'], ['selfsubjectaccessreviews', 'selfsubjectrulesreviews']),
    on(['create'], ['authentication.k8s.io'], ['selfsubjectreviews']),
  ],
  'system:discovery': [
    onPaths(
      ['get'],
      [
        '/api',
        '/api/*',
        '/apis',
        '/apis/*',
        '/healthz',
        '/livez',
        '/openapi',
        '/openapi/*',
        '/readyz',
        '/version',
        '/version/',
      ],
    ),
  ],
  'system:public-info-viewer': [onPaths(['get'], ['/healthz', '/livez', '/readyz', '/version', '/version/'])],
  'system:service-account-issuer-discovery': [
    onPaths(
      ['get'],
      [
        '/.well-known/openid-configuration',
        '/.well-known/openid-configuration/',
        '/openid/v1/jwks',
        '/openid/v1/jwks/',
      ],
    ),
  ],
};
