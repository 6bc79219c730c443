import type { ApiObject } from './api-object.ts';
import { bootstrapRbac } from './auth/bootstrap-rbac.ts';
import type { InternalApi } from './internal-api.ts';
import type { KindCatalogue } from './kinds/kind-catalogue.ts';

const namespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** What every cluster has from its first moment. What is there already, changed or not, stays as it is. */
export async function bootstrap(api: InternalApi, kinds: KindCatalogue): Promise<void> {
  const user = { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] };
  const wanted: ApiObject[] = [
    ...namespaces.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    ...bootstrapRbac(),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        name: 'kubernetes',
        namespace: 'default',
        labels: { component: 'apiserver', provider: 'kubernetes' },
      },
      spec: { clusterIP: '10.0.0.1', ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 443 }] },
    },
  ];
  for (const object of wanted) {
    const storage = kinds.ofObject(object)?.storage ?? '';
    const { namespace = '', name = '' } = object.metadata;
    if (api.read.get({ storage, namespace, name }) === undefined) await api.create(user, object);
  }
}
