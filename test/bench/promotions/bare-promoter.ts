/**
 * The floor, as a process of its own: on the watch event of a Snapshot, or of what Argo CD says, it makes the writes that a
 * promotion makes until the Binding is changed, one after the other, and nothing else. It looks at nothing, remembers nothing
 * and cannot be interrupted.
 */
import { connectCluster } from '../../../shared/adapters/kubernetes/connection.ts';
import { followObjects } from '../gitops/follow-objects.ts';
import {
  applicationsPath,
  type argoStatus,
  type BenchObject,
  deploymentStatus,
  deploymentsPath,
  floorGroups,
} from '../gitops/objects.ts';
import {
  application,
  bindingName,
  considered,
  first,
  floorGroup,
  floorNamespace,
  type PromotedObject,
  pathOf,
  promoted,
  promotionRun,
  second,
} from './promotion-objects.ts';

const [kubeconfigPath] = process.argv.slice(2);
const connection = connectCluster({ kubeconfigPath, now: Date.now });
const headers = { 'content-type': 'application/merge-patch+json' };

async function patch(path: string, body: object): Promise<void> {
  await connection.request(path, { method: 'PATCH', headers, body, accept: [] });
}

async function promote(environment: string, run: string, name: string): Promise<void> {
  const path = pathOf(floorGroup, 'snapshotenvironmentbindings', floorNamespace);
  await patch(`${path}/${bindingName(application, environment)}`, promoted(run, name));
}

async function start(snapshot: PromotedObject): Promise<void> {
  const { name } = snapshot.metadata;
  const body = promotionRun(floorGroup, snapshot);
  await connection.request(pathOf(floorGroup, 'promotionruns', floorNamespace), { method: 'POST', body, accept: [] });
  await patch(`${pathOf(floorGroup, 'snapshots', floorNamespace)}/${name}/status`, considered(snapshot));
  await promote(first, name, name);
}

/** The last revision that was said is the name of the Snapshot here. */
async function advance({ metadata, status }: BenchObject): Promise<void> {
  const told = deploymentStatus(status as ReturnType<typeof argoStatus>);
  await patch(`${deploymentsPath(floorGroups, floorNamespace)}/${metadata.name}/status`, { status: told });
  await promote(second, told.sync.revision, told.sync.revision);
}

await followObjects(connection, pathOf(floorGroup, 'snapshots'), (type, object) => {
  if (type === 'ADDED') void start(object as unknown as PromotedObject);
});
await followObjects(connection, applicationsPath(floorGroups), (type, object) => {
  if (type === 'MODIFIED' && object.status !== undefined) void advance(object);
});

process.once('SIGTERM', () => process.exit(0));
process.send?.({ up: true });
