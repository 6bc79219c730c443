import { type Application, syncOptionsAnnotation } from './application.ts';
import { saidByServer } from './cluster/api-error.ts';
import type { Target } from './cluster/clusters.ts';
import { deleteObject } from './cluster/write-object.ts';
import { findKinds, isPermitted, reportedKinds } from './compare/load-live.ts';
import { trackingOf } from './compare/tracking.ts';
import { gvkOf, hasOption, type KubeObject, optionValue } from './kube-object.ts';
import type { World } from './refresh-application.ts';
import { waveOf } from './sync/wave.ts';

const finalizer = 'resources-finalizer.argocd.argoproj.io';
const foreground = [finalizer, 'foreground-finalizer.argocd.argoproj.io', `${finalizer}/foreground`];
const background = ['background-finalizer.argocd.argoproj.io', `${finalizer}/background`];
const lookAgainMs = 1_000;

/**
 * Takes the next step in the deletion of an application: deletes the last wave of what is left of its objects, and when none
 * is left takes its finalizer away. Resolves with how long to wait before the next step; undefined when there is none.
 */
export async function finalizeApplication(world: World, app: Application): Promise<number | undefined> {
  const finalizers = app.metadata.finalizers ?? [];
  const ours = finalizers.filter((one) => foreground.includes(one) || background.includes(one));
  if (ours.length === 0) return undefined;
  const project = world.projectOf(app);
  // Without its project nobody knows what it was allowed to touch; with it, the deletion goes on.
  if (project === undefined) return lookAgainMs * 10;
  const release = () =>
    world.applications.writeFinalizers(
      app,
      finalizers.filter((one) => !ours.includes(one)),
    );

  let cluster: Target;
  try {
    cluster = world.clusters.open(world.clusters.find(app.spec.destination));
  } catch {
    // There is no such cluster any more, so there is nothing to delete on it.
    await release();
    return undefined;
  }
  const kinds = await findKinds(cluster, reportedKinds(app));
  await cluster.live.follow(kinds);
  const mine = [...cluster.live.all()].filter(
    (object) =>
      trackingOf(object)?.application === app.metadata.name &&
      (object.metadata.ownerReferences ?? []).length === 0 &&
      isPermitted(project, cluster, object),
  );
  const deleted = mine.filter((object) => mayDelete(app, object));
  if (deleted.length === 0) {
    await release();
    return undefined;
  }
  if (mine.some(({ metadata }) => metadata.deletionTimestamp !== undefined)) return lookAgainMs;

  const wave = Math.max(...deleted.map(waveOf));
  const policy = ours.some((one) => background.includes(one)) ? 'Background' : 'Foreground';
  for (const object of deleted.filter((one) => waveOf(one) === wave)) {
    const { group, kind } = gvkOf(object);
    const resource = kinds.find((one) => one.group === group && one.kind === kind);
    if (resource !== undefined) await deleteObject(cluster, resource, object, policy);
  }
  return lookAgainMs / 4;
}

/** What asks to stay, stays; a definition stays too, since with it every object of its kind would go. */
function mayDelete(app: Application, object: KubeObject): boolean {
  const option =
    optionValue(object, syncOptionsAnnotation, 'Delete') ??
    (app.spec.syncPolicy?.syncOptions ?? []).find((one) => one.startsWith('Delete='))?.slice('Delete='.length);
  const isItself =
    object.kind === 'Application' &&
    object.metadata.name === app.metadata.name &&
    gvkOf(object).group === 'argoproj.io';
  return (
    object.kind !== 'CustomResourceDefinition' &&
    !isItself &&
    option !== 'false' &&
    !hasOption(object, 'helm.sh/resource-policy', 'keep')
  );
}

/** Why a deletion does not go on, as Argo CD reports it. */
export function deletionError(error: unknown) {
  return { type: 'DeletionError', message: saidByServer(error) };
}
