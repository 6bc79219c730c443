import { gitOpsDeployments } from '../../shared/contracts/kubernetes/kinds.ts';
import { labels } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import { deployedFor, mayBeTaken, orphanFinding, orphanSeconds } from '../../shared/domain/upkeep/orphans.ts';
import type { ApiObject, ApiResource } from '../../shared/ports/api-resources.ts';
import { isTrouble } from '../../shared/ports/trouble.ts';
import { inGroups } from './in-groups.ts';
import type { Came, Turn } from './turn.ts';

interface Orphan {
  readonly object: ApiObject;
  /** The UID of the GitOpsDeployment that is gone. */
  readonly deployment: string;
}

/** What a turn has learnt: UIDs are never given twice, so what is gone stays gone. */
interface Learnt {
  readonly gone: Set<string>;
  readonly troubles: Set<string>;
}

/** In the place of an object: a kind that was looked at to its end. No name has it. */
const allOfThem = '*';

/**
 * What is left of deployments that are gone, in namespaces of tenants: deleted, because nobody else would. Kind after kind;
 * `after` is the kind, and the object of it, that was looked at last.
 */
export async function lookAtOrphans(turn: Turn): Promise<Came> {
  const { apiResources, upkeep } = turn.machine.world;
  const skipped = (why: string): Came => ({ done: true, after: '', looked: 0, skipped: why });
  if (upkeep.orphanNamespaceSuffix === '') return skipped('ORPHAN_NAMESPACE_SUFFIX is not set');
  if (turn.after === '' && !(await turn.isDue(orphanSeconds)))
    return skipped('it is not two hours since the last time');

  const [lastKind = '', lastObject = ''] = turn.after.split(' ');
  const { resources, unreadable } = await apiResources.discover(turn.signal);
  const learnt: Learnt = {
    gone: new Set(),
    troubles: new Set(unreadable.map((group) => `${group} does not say which kinds it has`)),
  };
  let looked = 0;
  const left = (key: string): boolean => key > lastKind || (key === lastKind && lastObject !== allOfThem);
  for (const resource of resources.filter((one) => mayBeTaken(one) && left(keyOf(one)))) {
    const key = keyOf(resource);
    const isUp = (many: number): boolean => turn.isUp(looked + many);
    const came = await lookAtKind(resource, { turn, from: key === lastKind ? lastObject : '', isUp, learnt });
    looked += came.looked;
    if (!came.done || turn.isUp(looked))
      return { done: false, after: `${key} ${came.done ? allOfThem : came.after}`, looked, ...inWords(learnt) };
  }
  return { done: true, after: '', looked, ...inWords(learnt) };
}

function keyOf({ group, plural }: ApiResource): string {
  return `${group}/${plural}`;
}

function inWords({ troubles }: Learnt): Pick<Came, 'trouble'> {
  return troubles.size === 0 ? {} : { trouble: [...troubles].join('; ').slice(0, 300) };
}

/** A kind that cannot be listed, or not be deleted, is told in the report and does not keep the others waiting. */
async function lookAtKind(
  resource: ApiResource,
  at: { turn: Turn; from: string; isUp(looked: number): boolean; learnt: Learnt },
): Promise<Came> {
  const { turn, from, isUp, learnt } = at;
  const { apiResources } = turn.machine.world;
  let looked = 0;
  try {
    const { signal } = turn;
    for await (const page of apiResources.list(resource, { labelSelector: labels.instance, signal })) {
      const objects = page.filter((one) => placeOf(one) > from);
      await takeAway(resource, await orphansAmong(objects, learnt, turn), learnt, turn);
      looked += objects.length;
      const last = objects.at(-1);
      if (last !== undefined && isUp(looked)) return { done: false, after: placeOf(last), looked };
    }
  } catch (error) {
    if (error instanceof Unsure || isElsewhere(error) || turn.signal.aborted) throw error;
    learnt.troubles.add(`${resource.plural}: ${messageOf(error)}`);
  }
  return { done: true, after: '', looked };
}

function placeOf({ namespace, name }: ApiObject): string {
  return `${namespace}/${name}`;
}

/**
 * The rows are asked first: while a deployment has one, Argo CD is there to take away what it deployed. For the rest the
 * GitOpsDeployments are listed after the objects, so that none is younger than the list. They count wherever they are:
 * one may deploy to another namespace of the same cluster by a managed environment.
 */
async function orphansAmong(objects: readonly ApiObject[], learnt: Learnt, turn: Turn): Promise<Orphan[]> {
  const { driftRows, upkeep } = turn.machine.world;
  const found = objects.flatMap((object): Orphan[] => {
    const deployment = deployedFor(object, object.labels[labels.instance], upkeep.orphanNamespaceSuffix);
    return deployment === undefined ? [] : [{ object, deployment }];
  });
  const asked = [...new Set(found.map(({ deployment }) => deployment))].filter((uid) => !learnt.gone.has(uid));
  const known = await driftRows.knownApplications(asked);
  const unknown = asked.filter((uid) => !known.has(uid));
  if (unknown.length > 0) {
    const alive = await livingDeployments(turn);
    for (const uid of unknown.filter((one) => !alive.has(one))) learnt.gone.add(uid);
  }
  return found.filter(({ deployment }) => learnt.gone.has(deployment));
}

/** Whoever does not know which deployments there are must not take anything away. */
class Unsure extends Error {
  override readonly name = 'Unsure';
}

/** By their metadata alone: one that does not read as its kind is there all the same. */
async function livingDeployments({ machine, signal }: Turn): Promise<ReadonlySet<string>> {
  const alive = new Set<string>();
  try {
    for await (const page of machine.world.apiResources.list(gitOpsDeployments, { signal }))
      for (const { uid } of page) alive.add(uid);
  } catch (error) {
    throw new Unsure(`GitOpsDeployments cannot be listed, so nothing is deleted: ${messageOf(error)}`, {
      cause: error,
    });
  }
  return alive;
}

/** The line of the report goes before the deed: nothing disappears without a word. */
async function takeAway(resource: ApiResource, orphans: readonly Orphan[], learnt: Learnt, turn: Turn): Promise<void> {
  await turn.tell(orphans.map(({ object, deployment }) => orphanFinding(resource, object, deployment)));
  await inGroups(orphans, async ({ object }) => {
    try {
      await turn.machine.world.apiResources.remove(resource, object, turn.signal);
    } catch (error) {
      learnt.troubles.add(`${resource.plural} cannot be deleted: ${messageOf(error)}`);
    }
  });
}

/** Without database and queue nothing can be kept: that is for whoever gave us the turn. */
function isElsewhere(error: unknown): boolean {
  return isTrouble(error) && 'dependency' in error && error.dependency !== 'cluster';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
