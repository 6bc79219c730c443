import {
  type AnySchema,
  applications,
  type ObjectKind,
  type ObjectOf,
  promotionRuns,
  snapshots,
} from '../../shared/contracts/kubernetes/kinds.ts';
import type { PromotionRun } from '../../shared/contracts/kubernetes/promotion-run.ts';
import type { Snapshot } from '../../shared/contracts/kubernetes/snapshot.ts';
import type { Cluster } from '../../shared/ports/cluster.ts';
import { isTrouble, Refused } from '../../shared/ports/trouble.ts';
import { listAll } from '../../shared/runtime/list-all.ts';
import { cleanse, printable } from '../ops/cleanse.ts';
import type { Paint } from '../ops/paint.ts';
import type { CommandsToType } from './commands-to-type.ts';
import { application, namespace } from './sample.ts';
import { tellRun } from './tell-run.ts';

interface Eyes {
  readonly cluster: Cluster;
  readonly paint: Paint;
  readonly say: (about: string, text: string) => void;
  /** Between two looks. Ends with trouble when nobody looks any more. */
  readonly pause: () => Promise<void>;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly ops: CommandsToType['ops'];
}

/** More than a machine that is busy with everything at once needs for a Snapshot. */
const patienceMs = 120_000;

/** Looks until there is a Snapshot that holds all these images; says what keeps it from being made. */
export async function awaitSnapshot(eyes: Eyes, images: Readonly<Record<string, string>>): Promise<Snapshot> {
  const until = eyes.now() + patienceMs;
  const said = new Set<string>();
  for (;;) {
    const found = (await all(eyes, snapshots)).find((one) => holdsAll(one, images));
    if (found !== undefined) return found;
    const trouble = await applicationTrouble(eyes);
    if (trouble !== undefined && !said.has(trouble)) eyes.say('', eyes.paint.wait(`… ${trouble}`));
    said.add(trouble ?? '');
    if (eyes.now() > until)
      throw new Error(
        `no Snapshot holds ${Object.values(images).join(', ')} after ${patienceMs / 1_000} s: ${eyes.ops(`explain Application ${namespace}/${application}`)}`,
      );
    await eyes.pause();
  }
}

/** The runs that have ended, by their UIDs: nobody has to hear of them again. */
export async function endedRuns(eyes: Eyes): Promise<readonly string[]> {
  return (await runs(eyes)).filter(isCompleted).map(({ metadata }) => metadata.uid);
}

/** Tells the runs of the sample as they go, until nobody looks any more; and why its Snapshot starts none, if it does not. */
export async function followPromotions(
  eyes: Eyes,
  { snapshot, before }: { readonly snapshot: string; readonly before: readonly string[] },
  ended: (run: PromotionRun) => void,
): Promise<never> {
  const done = new Set(before);
  const said = new Map<string, Set<string>>();
  for (;;) {
    const found = await runs(eyes).catch(passing);
    for (const run of found.filter(({ metadata }) => !done.has(metadata.uid))) {
      const { uid, name } = run.metadata;
      const lines = said.get(uid) ?? new Set<string>();
      if (!said.has(uid)) eyes.say('', `PromotionRun ${name} takes Snapshot ${run.spec.snapshot} on its way`);
      said.set(uid, lines);
      for (const { about, text, aside = '' } of tellRun(run, eyes.paint)) {
        if (!lines.has(`${about} ${text}`)) eyes.say(about, `${text}${aside}`);
        lines.add(`${about} ${text}`);
      }
      if (!isCompleted(run)) continue;
      done.add(uid);
      ended(run);
    }
    if (said.size === 0 && (await tellIdle(eyes, snapshot))) said.set(snapshot, new Set());
    await eyes.pause();
  }
}

/** A Snapshot that was looked at and starts nothing says why: somebody has changed the sample. */
async function tellIdle({ cluster, signal, say, paint }: Eyes, name: string): Promise<boolean> {
  const found = await cluster.read(snapshots, { namespace, name }, { signal }).catch(() => undefined);
  const told = printable(cleanse(found))?.status?.conditions.find(({ type }) => type === 'AutomatedPromotion');
  if (told?.status !== 'False') return false;
  say('', paint.wait(`… ${told.reason} ${told.message}`));
  return true;
}

/** An API server that is away for a moment is no reason to stop looking; one that refuses us stays so. */
function passing(error: unknown): readonly PromotionRun[] {
  if (isTrouble(error) && !(error instanceof Refused)) return [];
  throw error;
}

/** In the order in which they take their turns. */
async function runs(eyes: Eyes): Promise<readonly PromotionRun[]> {
  const found = (await all(eyes, promotionRuns)).filter(({ spec }) => spec.application === application);
  return found.toSorted((one, other) => (turnOf(one) < turnOf(other) ? -1 : 1));
}

function turnOf({ metadata }: PromotionRun): string {
  return `${metadata.creationTimestamp} ${metadata.name}`;
}

function isCompleted({ status }: PromotionRun): boolean {
  return status?.state === 'Completed';
}

function holdsAll({ spec }: Snapshot, images: Readonly<Record<string, string>>): boolean {
  return Object.entries(images).every(([name, image]) =>
    spec.components.some((one) => one.name === name && one.containerImage === image),
  );
}

async function applicationTrouble({ cluster, signal }: Eyes): Promise<string | undefined> {
  const found = printable(cleanse(await cluster.read(applications, { namespace, name: application }, { signal })));
  const created = found?.status?.conditions.find(({ type }) => type === 'Created');
  return created?.status === 'False' ? `Application ${application}: ${created.message}` : undefined;
}

async function all<Schema extends AnySchema>(
  { cluster, signal }: Eyes,
  kind: ObjectKind<Schema>,
): Promise<ObjectOf<Schema>[]> {
  // Before it is painted: colours are characters that a terminal obeys, too.
  return printable(cleanse(await listAll(cluster, kind, { namespace, signal })));
}
