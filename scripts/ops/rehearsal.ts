import type { Condition } from '../../shared/domain/core/condition.ts';
import type { Effect, Moment, Next } from '../../shared/domain/core/step.ts';
import { inWords, type Subject } from '../../shared/domain/core/subject.ts';
import type { Context } from './context.ts';
import { conditionInWords, effectInWords, nextInWords } from './in-words.ts';
import { columns } from './lay-out.ts';
import type { Paint } from './paint.ts';

/** What a function would do now. */
export type Rehearsed =
  | {
      readonly state: 'decided';
      readonly effects: readonly Effect[];
      readonly conditions: readonly Condition[];
      readonly knocks: readonly RehearsedKnock[];
      readonly next: Next;
    }
  /** What it looks at is not there any more. */
  | { readonly state: 'gone' }
  /** It could not look, or its rule broke. */
  | { readonly state: 'failed'; readonly error: string };

interface RehearsedKnock {
  readonly type: string;
  readonly subject: string;
  readonly to: readonly string[];
}

/** Observes and decides, and writes nothing. */
export async function rehearse(context: Context, functionName: string, subject: Subject): Promise<Rehearsed> {
  try {
    const door = await context.functionOf(functionName);
    const { step } = await door.rehearse(subject, await momentOf(context, functionName, subject), {
      world: context.world(),
    });
    if (step === undefined) return { state: 'gone' };
    const knocks = step.knocks.map(({ type, subject: at }) => ({
      type,
      subject: inWords(at),
      to: context.routes.filter(({ consumes }) => consumes.includes(type)).map((route) => route.function),
    }));
    return { state: 'decided', effects: step.effects, conditions: step.conditions, knocks, next: step.next };
  } catch (error) {
    return { state: 'failed', error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}

/** The rule is told since when the subject waits, as it would be in a real step. */
async function momentOf({ reader, now }: Context, functionName: string, subject: Subject): Promise<Moment> {
  const { waiting } = await reader.pendingOf([inWords(subject)]);
  const wait = waiting.find((one) => one.function === functionName);
  if (wait === undefined) return { now: now() };
  const { reason, since, deadline } = wait;
  return { now: now(), waiting: { reason, since: Date.parse(since), deadline: Date.parse(deadline) } };
}

export function renderRehearsal(rehearsed: Rehearsed, paint: Paint): string[] {
  return columns(rehearsalRows(rehearsed, paint));
}

/** What it would do, as rows of a name and a sentence. */
export function rehearsalRows(rehearsed: Rehearsed, paint: Paint): string[][] {
  if (rehearsed.state === 'gone') return [[paint.dim('would'), 'skip: what it looks at is gone']];
  if (rehearsed.state === 'failed') return [[paint.bad('would fail'), rehearsed.error]];
  const { effects, conditions, knocks, next } = rehearsed;
  return [
    ...(effects.length === 0 ? [[paint.dim('would do'), 'nothing']] : []),
    ...effects.map((effect) => [paint.dim('would do'), effectInWords(effect)]),
    ...conditions.map((condition) => [paint.dim('would say'), conditionInWords(condition)]),
    ...knocks.map(({ type, subject, to }) => [
      paint.dim('would wake'),
      `${to.length === 0 ? 'nobody' : to.join(', ')} with ${type} ${subject}`,
    ]),
    [paint.dim('then'), next.kind === 'settled' ? paint.good('settled') : paint.wait(nextInWords(next))],
  ];
}
