import { snapshots } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Release } from '../../shared/ports/release-reader.ts';
import type { Context, Result } from './context.ts';
import { Exit, exits } from './exit.ts';
import { lengthInWords } from './in-words.ts';
import { columns, firstOf, indent } from './lay-out.ts';
import type { Paint } from './paint.ts';
import { readKey } from './read-names.ts';
import { inOneLine, placesInWords, releaseTable, shortCommit } from './render-releases.ts';
import { type SnapshotFacts, snapshotFacts } from './snapshots-list.ts';

export interface ShownSnapshot {
  readonly namespace: string;
  readonly name: string;
  /** What the cluster says. Absent: it is gone from there, and the ledger remembers it. */
  readonly snapshot?:
    | (SnapshotFacts & {
        readonly displayName: string;
        readonly components: readonly { readonly name: string; readonly image: string }[];
      })
    | undefined;
  readonly runsIn: readonly string[];
  readonly awaitedIn: readonly string[];
  /** Newest first. */
  readonly commits: readonly Release[];
}

/** One snapshot: what is in it, where it is, and every commit that was made of it. Reads only. */
export async function runSnapshotsShow(
  context: Context,
  { snapshot: named }: { readonly snapshot: string },
): Promise<Result<ShownSnapshot>> {
  const key = readKey('snapshot', named);
  const found = await context.world().clusters.local.read(snapshots, key);
  const [commits, uses] = await Promise.all([context.releases.commitsOf(key), context.releases.usesIn(key.namespace)]);
  const use = uses.find(({ snapshot }) => snapshot === key.name);
  if (found === undefined && use === undefined)
    throw new Exit(
      exits.notFound,
      `There is no Snapshot ${named}, and no commit was ever made of one. Those there are: npm run ops -- snapshots ${key.namespace}`,
    );
  return {
    code: exits.ok,
    value: {
      ...key,
      ...(found !== undefined && {
        snapshot: {
          ...snapshotFacts(found, context.now()),
          displayName: found.spec.displayName,
          components: found.spec.components.map(({ name, containerImage }) => ({ name, image: containerImage })),
        },
      }),
      runsIn: use?.runsIn ?? [],
      awaitedIn: use?.awaitedIn ?? [],
      commits,
    },
  };
}

export function renderSnapshotsShow(shown: ShownSnapshot, limit: number, paint: Paint): string {
  const { namespace, name, snapshot, commits } = shown;
  const facts =
    snapshot === undefined
      ? []
      : [
          [paint.dim('application'), snapshot.application || '-'],
          ...(snapshot.displayName === '' ? [] : [[paint.dim('called'), snapshot.displayName]]),
          ...(snapshot.sequence === undefined ? [] : [[paint.dim('sequence'), String(snapshot.sequence)]]),
          [paint.dim('age'), lengthInWords(snapshot.ageSeconds * 1_000)],
        ];
  const inside = snapshot?.components.map(({ name: component, image }) => [component, image]) ?? [];
  const state = snapshot === undefined ? `  ${paint.bad('gone')} from the cluster; the ledger remembers it` : '';
  return [
    `${paint.bold(`${namespace}/${name}`)}${state}`,
    ...indent(
      columns([...facts, [paint.dim('runs in'), placesInWords(shown, paint)]].map((row) => row.map(inOneLine))),
    ),
    '',
    ...(snapshot === undefined
      ? []
      : [
          paint.bold('Components'),
          ...indent(inside.length === 0 ? ['none'] : columns(inside.map((row) => row.map(inOneLine)))),
          '',
        ]),
    paint.bold('Commits'),
    ...indent(
      commits.length === 0
        ? [paint.wait('none was ever made of it')]
        : firstOf(
            releaseTable('commit', ({ commit }) => shortCommit(commit), commits, paint),
            limit + 1,
          ),
    ),
  ].join('\n');
}
