import type { Release } from '../../shared/ports/release-reader.ts';
import type { Context, Result } from './context.ts';
import { Exit, exits } from './exit.ts';
import { firstOf, indent } from './lay-out.ts';
import type { Paint } from './paint.ts';
import { readCommit } from './read-names.ts';
import { releaseTable } from './render-releases.ts';

export interface SnapshotsOf {
  readonly commit: string;
  readonly snapshots: readonly Release[];
}

/** How many commits are named where one was meant. */
const commitsNamed = 5;

/** The snapshots that a commit was made of. Asks the ledger alone: it answers while the cluster is away, too. */
export async function runSnapshotsOf(
  { releases }: Context,
  { commit: written }: { readonly commit: string },
): Promise<Result<SnapshotsOf>> {
  const beginning = readCommit(written);
  const found = await releases.madeInto(beginning);
  const commits = [...new Set(found.map(({ commit }) => commit))];
  const [commit, ...others] = commits;
  if (commit === undefined)
    throw new Exit(
      exits.notFound,
      `The ledger has no commit ${beginning}: it knows those that were made of a snapshot. The last of every repository: npm run ops -- repositories`,
    );
  if (others.length > 0)
    throw new Exit(
      exits.wrongUsage,
      `${commits.length} commits begin with ${beginning}: write more of it, ${firstOf(commits, commitsNamed).join(', ')}.`,
    );
  return { code: exits.ok, value: { commit, snapshots: found } };
}

export function renderSnapshotsOf({ commit, snapshots }: SnapshotsOf, limit: number, paint: Paint): string {
  const rows = releaseTable('snapshot', ({ namespace, snapshot }) => `${namespace}/${snapshot}`, snapshots, paint);
  return [`${paint.bold(commit)} was made of`, ...indent(firstOf(rows, limit + 1))].join('\n');
}
