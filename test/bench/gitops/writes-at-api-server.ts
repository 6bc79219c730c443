import type { ClusterConnection } from '../../../shared/adapters/kubernetes/connection.ts';

const watched = ['gitopsdeployments', 'applications', 'appprojects', 'secrets', 'namespaces', 'operations'];

/** How often each of our kinds was written at the API server since it began, by its own count. */
export async function writesAtApiServer(connection: ClusterConnection): Promise<ReadonlyMap<string, number>> {
  const { body } = await connection.request('/metrics', { headers: { accept: 'text/plain' }, accept: [] });
  const writes = new Map<string, number>();
  for (const [, fields = '', count = ''] of String(body).matchAll(/^apiserver_request_total\{([^}]*)\} (\S+)$/gm)) {
    const resource = /resource="([^"]*)"/.exec(fields)?.[1] ?? '';
    if (!watched.includes(resource) || !/verb="(?:POST|PUT|PATCH|APPLY|DELETE)"/.test(fields)) continue;
    writes.set(`${resource} at the API server`, (writes.get(`${resource} at the API server`) ?? 0) + Number(count));
  }
  return writes;
}
