/**
 * The floor, as a process of its own: on the watch event of a claim it writes what binding writes, on the target of the same
 * number, and nothing else. It chooses nothing, remembers nothing and cannot be interrupted.
 */
import { connectCluster } from '../../../shared/adapters/kubernetes/connection.ts';
import { followObjects } from '../gitops/follow-objects.ts';
import { type ClaimObject, claimsPath, floorGroup, targetsPath } from './claim-objects.ts';

const [kubeconfigPath] = process.argv.slice(2);
const connection = connectCluster({ kubeconfigPath, now: Date.now });
const headers = { 'content-type': 'application/merge-patch+json' };

async function patch(path: string, body: object): Promise<void> {
  await connection.request(path, { method: 'PATCH', headers, body, accept: [] });
}

async function bind({ metadata }: ClaimObject): Promise<void> {
  const { namespace, name, uid } = metadata;
  const targetName = name.replace('claim', 'target');
  const targetPath = `${targetsPath(floorGroup, namespace)}/${targetName}`;
  const claimPath = `${claimsPath(floorGroup, namespace)}/${name}`;
  await patch(targetPath, { spec: { claimRef: { name, uid } } });
  await patch(claimPath, {
    metadata: {
      annotations: {
        'dt.appstudio.redhat.com/bind-complete': 'true',
        'dt.appstudio.redhat.com/bound-by-controller': 'true',
      },
    },
    spec: { targetName },
  });
  await patch(`${targetPath}/status`, { status: { phase: 'Bound' } });
  await patch(`${claimPath}/status`, { status: { phase: 'Bound' } });
}

await followObjects(connection, claimsPath(floorGroup), (type, object) => {
  if (type === 'ADDED') void bind(object as unknown as ClaimObject);
});

process.once('SIGTERM', () => process.exit(0));
process.send?.({ up: true });
