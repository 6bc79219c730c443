import type { WrittenRepository } from '../../shared/ports/release-reader.ts';
import type { Context, Result } from './context.ts';
import { exits } from './exit.ts';
import { expectNamespace } from './expect-namespace.ts';
import { lengthInWords, momentInWords, stamp } from './in-words.ts';
import { firstOf, indent } from './lay-out.ts';
import type { Paint } from './paint.ts';
import { readNamespace } from './read-names.ts';
import { inOneLine, shortCommit, table } from './render-releases.ts';

export interface Repositories {
  readonly namespace?: string | undefined;
  readonly repositories: readonly WrittenRepository[];
  readonly now: string;
}

/** How many are explained that are in trouble: where our own credential is refused, all are. `--json` has all of them. */
const troublesShown = 10;

/** Every branch of a repository that the service writes to, what waits for it, and why it cannot be written. Reads only. */
export async function runRepositories(
  context: Context,
  { namespace }: { readonly namespace?: string | undefined },
): Promise<Result<Repositories>> {
  if (namespace !== undefined) readNamespace(namespace);
  const repositories = await context.releases.repositories(namespace);
  if (namespace !== undefined && repositories.length === 0) await expectNamespace(context, namespace);
  return {
    code: exits.ok,
    value: {
      ...(namespace !== undefined && { namespace }),
      repositories,
      now: new Date(context.now()).toISOString(),
    },
  };
}

export function renderRepositories(
  { namespace, repositories, now }: Repositories,
  limit: number,
  paint: Paint,
): string {
  const at = Date.parse(now);
  if (repositories.length === 0)
    return paint.dim(
      `No repositories are written to${namespace === undefined ? '' : ` for ${namespace}`} yet. An Application gets its own when it is created.`,
    );
  const titles = ['repository', 'branch', 'namespace', 'made by', 'Bindings', 'waiting', 'last commit', 'trouble'];
  const rows = repositories.map((one) => [
    one.url,
    one.branch,
    one.namespace,
    one.isMade ? 'us' : 'the tenant',
    String(one.bindings.length),
    waitingInWords(one, at, paint),
    one.lastCommit === undefined
      ? '-'
      : `${shortCommit(one.lastCommit.commit)} ${paint.dim(momentInWords(one.lastCommit.at, at))}`,
    paint.bad(one.trouble?.reason ?? ''),
  ]);
  const troubled = repositories.filter(({ trouble }) => trouble !== undefined);
  const more = troubled.length - troublesShown;
  return [
    ...firstOf(table(titles, rows, paint), limit + 1),
    ...troubled.slice(0, troublesShown).flatMap((one) => troubleInWords(one, at, paint)),
    ...(more > 0 ? ['', `… and ${more} more in trouble`] : []),
  ].join('\n');
}

function waitingInWords({ waiting, waitingSince }: WrittenRepository, now: number, paint: Paint): string {
  if (waiting.length === 0 || waitingSince === undefined) return '-';
  return paint.wait(`${waiting.length} for ${lengthInWords(now - Date.parse(waitingSince))}`);
}

function troubleInWords(repository: WrittenRepository, now: number, paint: Paint): string[] {
  const { url, branch, namespace, bindings, waiting, trouble } = repository;
  if (trouble === undefined) return [];
  const since = `since ${stamp(trouble.since)}, ${momentInWords(trouble.since, now)}`;
  const [binding] = [...waiting, ...bindings];
  return [
    '',
    inOneLine(`${paint.bad(trouble.reason)}  ${url} ${branch}  ${paint.dim(since)}`),
    ...indent([
      inOneLine(trouble.message),
      paint.dim(`next: npm run ops -- explain SnapshotEnvironmentBinding ${namespace}/${binding}`),
    ]),
  ];
}
