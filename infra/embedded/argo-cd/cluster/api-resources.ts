import type { ClusterConnection } from '../../../../shared/adapters/kubernetes/connection.ts';
import { type GroupVersionKind, isFields } from '../kube-object.ts';

export interface ApiResource extends GroupVersionKind {
  readonly plural: string;
  readonly namespaced: boolean;
  readonly canList: boolean;
}

export interface ApiResources {
  /** What the cluster calls a kind; undefined where it does not know it. */
  find(kind: GroupVersionKind): Promise<ApiResource | undefined>;
  /** Whether it served any kind of this group and version when last asked. */
  serves(group: string, version: string): boolean;
}

export function openApiResources(connection: Pick<ClusterConnection, 'request'>): ApiResources {
  const known = new Map<string, readonly ApiResource[]>();

  async function read(group: string, version: string): Promise<readonly ApiResource[]> {
    const path = group === '' ? `/api/${version}` : `/apis/${encodeURIComponent(group)}/${encodeURIComponent(version)}`;
    const { status, body } = await connection.request(path);
    if (status === 404 || !isFields(body) || !Array.isArray(body['resources'])) return [];
    return body['resources'].filter(isFields).flatMap((one) => {
      const { name, kind, namespaced, verbs } = one;
      // A slash is a subresource of the kind before it.
      if (typeof name !== 'string' || typeof kind !== 'string' || name.includes('/')) return [];
      const canList = Array.isArray(verbs) && verbs.includes('list') && verbs.includes('watch');
      return [{ group, version, kind, plural: name, namespaced: namespaced === true, canList }];
    });
  }

  return {
    async find({ group, version, kind }) {
      const key = `${group}/${version}`;
      const found = known.get(key)?.find((one) => one.kind === kind);
      if (found !== undefined) return found;
      // Not known is never remembered: a CRD may come at any moment.
      const resources = await read(group, version);
      known.set(key, resources);
      return resources.find((one) => one.kind === kind);
    },
    serves: (group, version) => (known.get(`${group}/${version}`) ?? []).length > 0,
  };
}

export function pathOf(
  { group, version, plural, namespaced }: ApiResource,
  namespace: string | undefined,
  name: string,
) {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = namespaced ? `/namespaces/${encodeURIComponent(namespace ?? '')}` : '';
  return `${root}${place}/${plural}/${encodeURIComponent(name)}`;
}
