import { applications, snapshots } from '../../shared/contracts/kubernetes/kinds.ts';
import { annotations, readAnnotation } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import type { Snapshot } from '../../shared/contracts/kubernetes/snapshot.ts';
import type { SnapshotUse } from '../../shared/ports/release-reader.ts';
import type { Context, Result } from './context.ts';
import { Exit, exits } from './exit.ts';
import { expectNamespace } from './expect-namespace.ts';
import { lengthInWords } from './in-words.ts';
import { firstOf } from './lay-out.ts';
import type { Paint } from './paint.ts';
import { readKey, readNamespace } from './read-names.ts';
import { placesInWords, table } from './render-releases.ts';

export interface SnapshotsList {
  readonly namespace: string;
  readonly application?: string | undefined;
  readonly orphanedOnly: boolean;
  /** By application, the newest first. */
  readonly snapshots: readonly ListedSnapshot[];
}

interface ListedSnapshot extends Omit<SnapshotUse, 'snapshot'>, SnapshotFacts {
  readonly name: string;
  readonly components: number;
  /** No commit was ever made of it. */
  readonly isOrphaned: boolean;
}

export interface SnapshotFacts {
  /** Empty: it names none. */
  readonly application: string;
  /** Its number among the states of its application; absent where the service did not make it. */
  readonly sequence?: number | undefined;
  readonly ageSeconds: number;
}

/** The Snapshots of the cluster, and what the ledger knows of each. Reads only. */
export async function runSnapshotsList(
  context: Context,
  { of, orphaned = false }: { readonly of: string; readonly orphaned?: boolean | undefined },
): Promise<Result<SnapshotsList>> {
  const { namespace, name: application } = of.includes('/')
    ? readKey('application', of)
    : { namespace: readNamespace(of), name: undefined };
  const found: Snapshot[] = [];
  for await (const page of context.world().clusters.local.list(snapshots, { namespace }))
    found.push(...page.filter(({ spec }) => application === undefined || spec.application === application));
  if (found.length === 0) await expectPlace(context, namespace, application);
  // Asked behind the cluster: of what is listed, no commit that was made meanwhile is missed.
  const uses = new Map((await context.releases.usesIn(namespace)).map((use) => [use.snapshot, use]));
  const listed = found
    .map((one) => toListed(one, uses.get(one.metadata.name), context.now()))
    .filter(({ isOrphaned }) => isOrphaned || !orphaned)
    .toSorted(byApplication);
  return {
    code: exits.ok,
    value: {
      namespace,
      ...(application !== undefined && { application }),
      orphanedOnly: orphaned,
      snapshots: listed,
    },
  };
}

export function snapshotFacts({ metadata, spec }: Snapshot, now: number): SnapshotFacts {
  const sequence = readAnnotation(metadata.annotations, annotations.sequence);
  return {
    application: spec.application,
    // Anybody may write it.
    ...(sequence !== undefined && /^\d{1,15}$/.test(sequence) && { sequence: Number(sequence) }),
    ageSeconds: Math.max(0, Math.round((now - Date.parse(metadata.creationTimestamp)) / 1_000)),
  };
}

export function renderSnapshotsList(list: SnapshotsList, limit: number, paint: Paint): string {
  const { snapshots: found } = list;
  if (found.length === 0) return paint.dim(emptyInWords(list));
  const rows = found.map((one) => [
    one.name,
    one.application || '-',
    String(one.sequence ?? '-'),
    lengthInWords(one.ageSeconds * 1_000),
    String(one.components),
    one.commits === 0 ? paint.wait('none') : String(one.commits),
    placesInWords(one, paint),
  ]);
  const titles = ['snapshot', 'application', 'sequence', 'age', 'components', 'commits', 'runs in'];
  const orphans = found.filter(({ isOrphaned }) => isOrphaned).length;
  const advice = `${orphans} of ${found.length} orphaned, no commit was ever made of ${orphans === 1 ? 'it' : 'them'}: npm run ops -- snapshots ${placeOf(list)} --orphaned`;
  return [
    ...firstOf(table(titles, rows, paint), limit + 1),
    ...(orphans === 0 || list.orphanedOnly ? [] : ['', paint.dim(advice)]),
  ].join('\n');
}

function toListed(snapshot: Snapshot, use: SnapshotUse | undefined, now: number): ListedSnapshot {
  const { commits = 0, runsIn = [], awaitedIn = [] } = use ?? {};
  return {
    name: snapshot.metadata.name,
    ...snapshotFacts(snapshot, now),
    components: snapshot.spec.components.length,
    commits,
    runsIn,
    awaitedIn,
    // One with the same images as another stands in the other's commit: it is in use.
    isOrphaned: commits === 0 && runsIn.length === 0,
  };
}

function byApplication(one: ListedSnapshot, other: ListedSnapshot): number {
  if (one.application !== other.application) return one.application < other.application ? -1 : 1;
  return (
    one.ageSeconds - other.ageSeconds || (other.sequence ?? 0) - (one.sequence ?? 0) || (one.name < other.name ? -1 : 1)
  );
}

async function expectPlace(context: Context, namespace: string, name: string | undefined): Promise<void> {
  await expectNamespace(context, namespace);
  if (name === undefined) return;
  if ((await context.world().clusters.local.read(applications, { namespace, name })) !== undefined) return;
  throw new Exit(
    exits.notFound,
    `There is no Application ${namespace}/${name}, and no snapshot of one. All of the namespace: npm run ops -- snapshots ${namespace}`,
  );
}

function emptyInWords(list: SnapshotsList): string {
  return list.orphanedOnly
    ? `No snapshots of ${placeOf(list)} are orphaned.`
    : `No snapshots of ${placeOf(list)} yet. The first one comes when a Component has an image.`;
}

/** As it was asked for. */
function placeOf({ namespace, application }: SnapshotsList): string {
  return application === undefined ? namespace : `${namespace}/${application}`;
}
