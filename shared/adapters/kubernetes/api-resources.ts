import { z } from 'zod';
import type { ApiObject, ApiResource, ApiResources } from '../../ports/api-resources.ts';
import type { ClusterConnection } from './connection.ts';
import { discoverResources } from './discover-resources.ts';
import { listPages } from './list-pages.ts';
import { openCluster } from './open-cluster.ts';
import type { WatchedObject } from './watched-object.ts';

const pageSize = 500;

/** Without a connection nothing is offered: then no cluster is configured, and nobody has a namespace. */
export function openApiResources(connection: Pick<ClusterConnection, 'request'> | undefined): ApiResources {
  if (connection === undefined) return nothing;
  const cluster = openCluster({ connection });
  return {
    discover: (signal) => discoverResources(connection, signal),
    async *list(resource, { labelSelector, signal }) {
      const watched = { ...resource, labelSelector, metadataOnly: true };
      for await (const { objects } of listPages({ connection, resource: watched, pageSize, signal }))
        yield objects.map(toObject);
    },
    remove: (resource, { namespace, name, uid }, signal) =>
      cluster.remove(asKind(resource), { namespace, name }, { uid, propagation: 'Background', signal }),
  };
}

function asKind(resource: ApiResource) {
  return { ...resource, namespaced: true, Schema: z.unknown() };
}

function toObject({ metadata }: WatchedObject): ApiObject {
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    uid: metadata.uid,
    // Programs written in Go may send an explicit null for a time that is not set.
    deleting: (metadata.deletionTimestamp ?? null) !== null,
    labels: metadata.labels ?? {},
  };
}

const nothing: ApiResources = {
  discover: async () => ({ resources: [], unreadable: [] }),
  async *list() {},
  remove: async () => false,
};
