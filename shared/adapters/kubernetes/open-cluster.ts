import type { z } from 'zod';
import type { ObjectKind } from '../../contracts/kubernetes/kinds.ts';
import type { Cluster, ObjectKey } from '../../ports/cluster.ts';
import { Refused } from '../../ports/trouble.ts';
import type { ClusterConnection } from './connection.ts';
import { KindMissing, listPages } from './list-pages.ts';
import type { RecentObjects } from './recent-objects.ts';
import { apiVersionOf } from './watched-object.ts';

interface ClusterSettings {
  readonly connection: Pick<ClusterConnection, 'request'>;
  /** What the watch has brought; without it every read asks the API server. */
  readonly recent?: RecentObjects | undefined;
  /** How long one request may take. */
  readonly timeoutMs?: number | undefined;
}

const pageSize = 500;

/** The port of a cluster on a connection. */
export function openCluster({ connection, recent, timeoutMs = 15_000 }: ClusterSettings): Cluster {
  async function write<Schema extends z.ZodType>(
    method: 'POST' | 'PUT',
    kind: ObjectKind<Schema>,
    object: object,
    path: string,
    signal: AbortSignal | undefined,
  ): Promise<z.output<Schema>> {
    const body = { apiVersion: apiVersionOf(kind), kind: kind.kind, ...object };
    const answer = await connection.request(path, { method, body, signal, timeoutMs, accept: [] });
    return parse(kind, answer.body);
  }

  return {
    async read(kind, key, { signal, atLeast } = {}) {
      if (atLeast !== undefined) {
        const copy = recent?.find(kind.group, kind.kind, key.namespace, key.name, atLeast);
        if (copy !== undefined) return copy === null ? undefined : parse(kind, copy);
      }
      const { status, body } = await connection.request(pathTo(kind, key), { signal, timeoutMs });
      return status === 404 ? undefined : parse(kind, body);
    },

    async *list(kind, { signal = AbortSignal.timeout(60_000), namespace, labelSelector, fieldSelector, mayLag } = {}) {
      const resource = { ...kind, namespace, labelSelector, fieldSelector };
      try {
        for await (const { objects } of listPages({ connection, resource, pageSize, signal, mayLag }))
          yield objects.flatMap((object) => {
            const { success, data } = kind.Schema.safeParse(object);
            return success ? [data] : [];
          });
      } catch (error) {
        // A kind that is not installed has no objects.
        if (!(error instanceof KindMissing)) throw error;
      }
    },

    create: (kind, object, { signal } = {}) =>
      write('POST', kind, object, pathTo(kind, { namespace: object.metadata.namespace ?? '', name: '' }), signal),

    replace: (kind, object, { signal } = {}) =>
      write(
        'PUT',
        kind,
        object,
        pathTo(kind, { namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' }),
        signal,
      ),

    async patch(kind, key, patch, { signal, subresource, written } = {}) {
      const path = subresource === undefined ? pathTo(kind, key) : `${pathTo(kind, key)}/${subresource}`;
      const { status, body } = await connection.request(path, {
        method: 'PATCH',
        headers: { 'content-type': 'application/merge-patch+json' },
        body: patch,
        signal,
        timeoutMs,
      });
      if (status === 404) return false;
      written?.((body as { metadata: { resourceVersion: string } }).metadata.resourceVersion);
      return true;
    },

    async remove(kind, key, { signal, uid, propagation } = {}) {
      const { status, body } = await connection.request(pathTo(kind, key), {
        method: 'DELETE',
        body: {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          ...(uid !== undefined && { preconditions: { uid } }),
          ...(propagation !== undefined && { propagationPolicy: propagation }),
        },
        signal,
        timeoutMs,
        accept: uid === undefined ? [404] : [404, 409],
      });
      // With a UID as the only precondition, a conflict says that the name belongs to another object by now.
      return status < 300 && body !== undefined;
    },
  };
}

function pathTo({ group, version, plural, namespaced }: ObjectKind, { namespace, name }: ObjectKey): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = namespaced ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${place}/${plural}${name === '' ? '' : `/${encodeURIComponent(name)}`}`;
}

function parse<Schema extends z.ZodType>({ Schema, kind }: ObjectKind<Schema>, value: unknown): z.output<Schema> {
  const parsed = Schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Refused('MalformedObject', `The ${kind} cannot be read: ${issue?.path.join('.')}: ${issue?.message}`);
}
