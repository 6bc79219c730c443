import type { LoggedStep, Pending } from '../../shared/ports/step-reader.ts';
import type { Context, Result } from './context.ts';
import { drawStory } from './draw-story.ts';
import { Exit, exits } from './exit.ts';
import { columns, indent } from './lay-out.ts';
import type { Paint } from './paint.ts';
import { knockInWords, waitInWords } from './render-pending.ts';
import { type Story, storyOf, tellStory } from './story.ts';

export interface Trace {
  readonly stories: readonly Story[];
  readonly pending: Pending;
  /** There are older stories beyond `--limit`. */
  readonly more: boolean;
  /** The stories are longer than can be shown; the oldest steps are missing. */
  readonly cut: boolean;
  readonly now: string;
}

/** A thing that waits for weeks looks again some thousand times; nobody reads further back. */
const mostSteps = 2_000;

/** The stories of a subject (`namespace/name`), newest first, or the one that a message or correlation belongs to. */
export async function runTrace(
  context: Context,
  args: { readonly of: string; readonly limit: number },
): Promise<Result<Trace>> {
  const { reader } = context;
  const { of, limit } = args;
  const isSubject = of.includes('/');
  const found = isSubject ? await reader.storiesOfSubject(of, limit + 1) : await reader.storiesOfMessage(of);
  const names = found.slice(0, limit);
  const { steps, more: cut } = await reader.ofStories(names, mostSteps);
  const subjects = new Set([...steps.map(({ subject }) => subject), ...(isSubject ? [of] : [])]);
  const [ledger, pending] = await Promise.all([
    reader.ledgerOf(
      names,
      steps.map(({ step }) => step),
    ),
    reader.pendingOf([...subjects], names),
  ]);
  if (names.length === 0 && pending.knocks.length + pending.waiting.length === 0) {
    throw new Exit(
      exits.notFound,
      `Nothing is known of ${of}: no step in the log, nothing pending. A subject is written namespace/name.`,
    );
  }
  const byStory: ReadonlyMap<string, readonly LoggedStep[]> = Map.groupBy(steps, storyOf);
  return {
    code: exits.ok,
    value: {
      stories: names.map((name) => tellStory(name, byStory.get(name) ?? [], ledger, pending)),
      pending,
      more: found.length > limit,
      cut,
      now: new Date(context.now()).toISOString(),
    },
  };
}

export function renderTrace({ stories, pending, more, cut, now }: Trace, paint: Paint): string {
  const at = Date.parse(now);
  const waits = columns([
    ...pending.knocks.map((knock) => [paint.wait(knock.function), knock.subject, knockInWords(knock, at)]),
    ...pending.waiting.map((wait) => [paint.wait(wait.function), wait.subject, waitInWords(wait, at)]),
  ]);
  return [
    ...stories.flatMap((story) => [...drawStory(story, at, paint), '']),
    paint.bold('Pending now'),
    ...indent(waits.length === 0 ? ['nothing'] : waits),
    ...(cut ? [paint.wait(`The log has more than ${mostSteps} steps of this; the oldest are not shown.`)] : []),
    ...(more ? [paint.wait('There are older stories beyond --limit.')] : []),
  ].join('\n');
}
