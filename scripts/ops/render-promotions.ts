import { handedOverReason } from '../../shared/domain/promotion/hand-over.ts';
import type { GraphEnvironment } from '../../shared/domain/promotion/promotion.ts';
import type { WayAhead } from '../../shared/domain/promotion/way-ahead.ts';
import type { ToldPromotion, ToldStep } from '../../shared/ports/promotion-reader.ts';
import { lengthInWords } from './in-words.ts';
import type { Paint } from './paint.ts';
import { shortCommit } from './render-releases.ts';

/** When the time of a step is over that is under way. Undefined: its Environment is gone, or its time does not run. */
export function untilOf(step: ToldStep, graph: readonly GraphEnvironment[]): string | undefined {
  if (step.reason === handedOverReason) return undefined;
  if (step.extendedTo !== undefined) return step.extendedTo;
  const environment = graph.find(({ name }) => name === step.environment);
  if (environment === undefined) return undefined;
  const { isClaiming, stepDeadlineSeconds, targetDeadlineSeconds } = environment;
  const isReady = step.readyAt !== undefined;
  const seconds = isClaiming && !isReady ? targetDeadlineSeconds : stepDeadlineSeconds;
  return new Date(Date.parse(step.readyAt ?? step.beganAt) + seconds * 1_000).toISOString();
}

/** How one environment of a promotion is doing. */
export function stepInWords(step: ToldStep, graph: readonly GraphEnvironment[], now: number): string {
  const { status, message, commit, evidence, beganAt, endedAt = beganAt } = step;
  const took = `after ${lengthInWords(Date.parse(endedAt) - Date.parse(beganAt))}`;
  const at = commit === '' ? '' : `, commit ${shortCommit(commit)}`;
  if (status === 'success') return `success ${took}${at}`;
  if (status === 'failed') return `failed ${took}${at}: ${message}`;
  const proved = evidence.filter(({ observedAt }) => observedAt !== undefined).length;
  const far = evidence.length === 0 ? '' : `, ${proved} of ${evidence.length} components proved`;
  const until = untilOf(step, graph);
  const wait = until === undefined ? 'waits' : `waits until ${timeOf(until, now)}`;
  return `in progress${far}; ${wait}: ${message || 'the Binding was changed'}`;
}

/** A line for the run, and one for each environment that it came to; each with a key, to tell what changed. */
export function progressOf(
  promotion: ToldPromotion,
  graph: readonly GraphEnvironment[],
  now: number,
): readonly { readonly key: string; readonly line: string }[] {
  const { state, waiting, steps } = promotion;
  const isHeld = state === 'Waiting' || (state === 'Active' && steps.length === 0);
  const held =
    isHeld && waiting !== undefined ? [{ key: 'run', line: `${promotion.name} ${waitingInWords(waiting, now)}` }] : [];
  const ended = state === 'Completed' ? [{ key: 'run', line: `${promotion.name} ${endInWords(promotion)}` }] : [];
  return [
    ...held,
    ...steps.map((step) => ({ key: step.environment, line: `${step.environment}: ${stepInWords(step, graph, now)}` })),
    ...ended,
  ];
}

export function waitingInWords({ message, until }: NonNullable<ToldPromotion['waiting']>, now: number): string {
  return `waits until ${timeOf(until, now)}: ${message}`;
}

function endInWords({ result, message, createdAt, startedAt, completedAt }: ToldPromotion): string {
  const took = Date.parse(completedAt ?? createdAt) - Date.parse(startedAt ?? createdAt);
  const words = result === 'Deleted' ? 'was deleted' : `ended with ${result}`;
  return `${words} after ${lengthInWords(took)}${message === '' ? '' : `: ${message}`}`;
}

/** What follows by itself, and where the snapshot stops. */
export function aheadInWords({ next, stops }: WayAhead, isManual: boolean): readonly string[] {
  const [first] = next;
  const how = isManual ? ' in a run of its own' : '';
  const follow = next.map((names) => names.join(' and ')).join(', then ');
  return [
    ...(first === undefined ? [] : [`${follow} ${next.flat().length === 1 ? 'follows' : 'follow'} by itself${how}`]),
    ...stops.map(({ name, why, controller, behind }) => {
      if (why === 'leaving') return `${name} behind ${behind} is being deleted: it is passed by`;
      if (why === 'external') return `${name} behind ${behind} is promoted to by ${controller}: it is passed by`;
      return `${name} behind ${behind} is Manual: the automation stops there`;
    }),
    ...(first === undefined && stops.length === 0 ? ['nothing: no Environment comes behind'] : []),
  ];
}

export function paintEnd(promotion: ToldPromotion, paint: Paint): string {
  return promotion.result === 'Success' ? paint.good(endInWords(promotion)) : paint.bad(endInWords(promotion));
}

/** Of today the time is enough, in UTC like everything that is stored. */
export function timeOf(moment: string, now: number): string {
  const [day = '', time = ''] = moment.split('T');
  const isToday = new Date(now).toISOString().startsWith(day);
  return `${isToday ? '' : `${day} `}${time.slice(0, 8)} UTC`;
}
