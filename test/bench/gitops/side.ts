import type { ClusterConnection } from '../../../shared/adapters/kubernetes/connection.ts';
import { followObjects } from './follow-objects.ts';
import {
  applicationName,
  applicationsPath,
  argoStatus,
  type BenchObject,
  deployment,
  deploymentsPath,
  type Groups,
  uidOf,
} from './objects.ts';
import { openSightings } from './sightings.ts';

const patienceMs = 120_000;
const mergePatch = { 'content-type': 'application/merge-patch+json' };

/** One of the two ways: the hands of its user, and an Argo CD that says and does what it is told. */
export interface Side {
  /** Answers with the UID. */
  create(namespace: string, name: string): Promise<string>;
  remove(namespace: string, name: string): Promise<void>;
  /** Argo CD says that it has synced this revision. */
  report(uid: string, revision: string): Promise<void>;
  /** The moments at which the watch brought it. */
  applicationMade(uid: string): Promise<number>;
  applicationGone(uid: string): Promise<number>;
  /** Needs `deployments` to be followed. */
  statusTold(uid: string, revision: string): Promise<number>;
  stop(): void;
}

export async function openSide(
  connection: ClusterConnection,
  groups: Groups,
  { followDeployments, whenLost }: { readonly followDeployments: boolean; readonly whenLost: () => Promise<string> },
): Promise<Side> {
  const sightings = openSightings(patienceMs, whenLost);
  const specs = new Map<string, BenchObject['spec']>();

  async function write(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<unknown> {
    const headers = method === 'PATCH' ? mergePatch : {};
    return (await connection.request(path, { method, headers, body, accept: [] })).body;
  }

  const applications = await followObjects(connection, applicationsPath(groups), (type, object, at) => {
    const uid = uidOf(object);
    if (type === 'DELETED') {
      sightings.note(`gone ${uid}`, at);
      return;
    }
    sightings.note(`made ${uid}`, at);
    specs.set(uid, object.spec);
    const { deletionTimestamp, finalizers = [], name } = object.metadata;
    // Nothing was deployed, so there is nothing to clean up: Argo CD is done at once.
    if (deletionTimestamp !== undefined && finalizers.length > 0)
      void write('PATCH', `${applicationsPath(groups)}/${name}`, { metadata: { finalizers: null } });
  });
  const deployments = followDeployments
    ? await followObjects(connection, deploymentsPath(groups), (_type, { metadata, status }, at) => {
        if (status?.sync !== undefined) sightings.note(`told ${metadata.uid} ${status.sync.revision}`, at);
      })
    : undefined;

  return {
    async create(namespace, name) {
      const made = await write('POST', deploymentsPath(groups, namespace), deployment(groups, namespace, name));
      return (made as BenchObject).metadata.uid;
    },
    async remove(namespace, name) {
      await write('DELETE', `${deploymentsPath(groups, namespace)}/${name}`);
    },
    async report(uid, revision) {
      const spec = specs.get(uid);
      if (spec === undefined) throw new Error(`there is no Application of ${uid} yet`);
      // Argo CD's own CRD has no status subresource.
      await write('PATCH', `${applicationsPath(groups)}/${applicationName(uid)}`, {
        status: argoStatus({ spec }, revision, new Date().toISOString().replace(/\.\d+/, '')),
      });
    },
    applicationMade: (uid) => sightings.of(`made ${uid}`),
    applicationGone: (uid) => sightings.of(`gone ${uid}`),
    statusTold: (uid, revision) => sightings.of(`told ${uid} ${revision}`),
    stop() {
      applications.stop();
      deployments?.stop();
    },
  };
}
