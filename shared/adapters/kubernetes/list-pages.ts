import { isFields } from '../../domain/core/fields.ts';
import type { ClusterConnection } from './connection.ts';
import { UnexpectedAnswer } from './translate-kubernetes.ts';
import { HistoryGone } from './watch-line.ts';
import { apiVersionOf, pathOf, readObject, type WatchedObject, type WatchedResource } from './watched-object.ts';

/** The cluster does not serve the kind, most often because its CRD is not installed. It may come. */
export class KindMissing extends Error {
  override readonly name = 'KindMissing';
}

interface Page {
  readonly objects: readonly WatchedObject[];
  /** The same for all pages of one list: they show one moment. */
  readonly resourceVersion: string;
  readonly unreadable: number;
}

interface ListSettings {
  readonly connection: Pick<ClusterConnection, 'request'>;
  readonly resource: WatchedResource;
  readonly pageSize: number;
  readonly signal: AbortSignal;
  /** From the server's cache, as it stands. */
  readonly mayLag?: boolean | undefined;
}

// A page of five hundred large objects over a slow line.
const pageTimeoutMs = 60_000;

/**
 * Lists page by page, from the newest state of the cluster unless somebody says otherwise: a list from the server's cache may
 * be older than what we have seen. The server cannot tell at once whether its cache is the newest state, and has to ask etcd
 * and wait for it: sixty milliseconds after any write, to whatever kind, where its cache alone takes two.
 */
export async function* listPages({
  connection,
  resource,
  pageSize,
  signal,
  mayLag,
}: ListSettings): AsyncGenerator<Page> {
  const accept = resource.metadataOnly
    ? { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' }
    : {};
  let next = '';
  do {
    const query = new URLSearchParams({ limit: String(pageSize) });
    if (resource.labelSelector !== undefined) query.set('labelSelector', resource.labelSelector);
    if (resource.fieldSelector !== undefined) query.set('fieldSelector', resource.fieldSelector);
    if (next !== '') query.set('continue', next);
    else if (mayLag === true) query.set('resourceVersion', '0');
    const { status, body } = await connection.request(`${pathOf(resource)}?${query}`, {
      headers: accept,
      signal,
      timeoutMs: pageTimeoutMs,
      accept: [404, 410],
    });
    if (status === 404)
      throw new KindMissing(
        `The cluster does not know ${resource.plural} of ${apiVersionOf(resource)}: install its CRD`,
      );
    // The rest of the pages is no longer kept, because reading them took too long: begin again.
    if (status === 410)
      throw new HistoryGone('the list took too long to read', { cause: new UnexpectedAnswer(status, body) });
    const page = readPage(body, resource);
    yield page;
    next = page.next;
  } while (next !== '');
}

function readPage(body: unknown, resource: WatchedResource): Page & { readonly next: string } {
  const metadata = isFields(body) ? body['metadata'] : undefined;
  if (!isFields(body) || !isFields(metadata) || typeof metadata['resourceVersion'] !== 'string') {
    throw new Error(`The answer to the list of ${resource.plural} is not a list: check the server address`);
  }
  const items = Array.isArray(body['items']) ? body['items'] : [];
  const objects = items.map((item) => readObject(item, resource)).filter((object) => object !== undefined);
  return {
    objects,
    resourceVersion: metadata['resourceVersion'],
    unreadable: items.length - objects.length,
    next: typeof metadata['continue'] === 'string' ? metadata['continue'] : '',
  };
}
