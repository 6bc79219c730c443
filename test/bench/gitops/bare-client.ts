/**
 * The floor, as a process of its own: on the watch event of a GitOpsDeployment it creates or deletes the Application; with
 * `status` it also carries what Argo CD says back, on the watch event of the Application. It does nothing else.
 */
import { connectCluster } from '../../../shared/adapters/kubernetes/connection.ts';
import { followObjects } from './follow-objects.ts';
import {
  application,
  applicationName,
  applicationsPath,
  argoFinalizer,
  type argoStatus,
  deploymentStatus,
  deploymentsPath,
  floorGroups,
  uidOf,
} from './objects.ts';

const [kubeconfigPath, task] = process.argv.slice(2);
const connection = connectCluster({ kubeconfigPath, now: Date.now });
const places = new Map<string, string>();
// The product adds it just before it deletes; who has it from the start needs one request less.
const finalizers = task === 'delete' ? [argoFinalizer] : [];

await followObjects(connection, deploymentsPath(floorGroups), (type, object) => {
  const { uid, namespace, name } = object.metadata;
  const path = applicationsPath(floorGroups);
  if (type === 'ADDED') {
    places.set(uid, `${deploymentsPath(floorGroups, namespace)}/${name}`);
    void connection.request(path, { method: 'POST', body: application(floorGroups, object, finalizers), accept: [] });
  }
  if (type === 'DELETED') void connection.request(`${path}/${applicationName(uid)}`, { method: 'DELETE', accept: [] });
});
if (task === 'status')
  await followObjects(connection, applicationsPath(floorGroups), (type, object) => {
    const place = places.get(uidOf(object));
    if (type !== 'MODIFIED' || object.status === undefined || place === undefined) return;
    const status = deploymentStatus(object.status as ReturnType<typeof argoStatus>);
    void connection.request(`${place}/status`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { status },
      accept: [],
    });
  });

process.once('SIGTERM', () => process.exit(0));
process.send?.({ up: true });
