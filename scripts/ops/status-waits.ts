import type { GraphEnvironment } from '../../shared/domain/promotion/promotion.ts';
import type { ToldCell, ToldPromotion } from '../../shared/ports/promotion-reader.ts';
import { timeOf, untilOf } from './render-promotions.ts';

/** Something that waits for an environment, or in it. */
export interface ToldWaiting {
  /** Empty: no promotion. */
  readonly promotion: string;
  readonly reason: string;
  readonly message: string;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** All of it in a sentence. */
  readonly text: string;
}

/** A promotion that did not come through. */
export interface ToldFailure {
  readonly promotion: string;
  readonly reason: string;
  readonly message: string;
  readonly at?: string | undefined;
  readonly text: string;
}

/** Whether the last promotion of an application failed in this environment, or before it came to one that it names. */
export function failureOf(
  place: Pick<ToldCell, 'namespace' | 'application' | 'environment'>,
  cell: ToldCell | undefined,
  failed: readonly ToldPromotion[],
  now: number,
): ToldFailure | undefined {
  const last = failed.find((one) => one.namespace === place.namespace && one.application === place.application);
  if (last === undefined) return undefined;
  const step = last.steps.find((one) => one.environment === place.environment);
  const isBefore = last.steps.length === 0 && last.beginsIn.includes(place.environment);
  if (step === undefined ? !isBefore : step.status !== 'failed') return undefined;
  // What got well after all needs nobody's look.
  if (cell?.snapshot === last.snapshot && cell.health === 'Healthy' && cell.sync === 'Synced') return undefined;
  const { reason, message } = step ?? last;
  const at = step?.endedAt ?? last.completedAt;
  const when = at === undefined ? '' : ` (${timeOf(at, now)})`;
  return { promotion: last.name, reason, message, at, text: `${last.name} failed: ${message}${when}` };
}

/** What one environment waits for: the promotion that is at it, those that will be, and a repository that is not written. */
export function waitsOf(
  environment: string,
  cell: ToldCell | undefined,
  open: readonly ToldPromotion[],
  graph: readonly GraphEnvironment[],
  now: number,
): readonly ToldWaiting[] {
  const promotions = open.flatMap((promotion) => waitOf(environment, promotion, graph, now));
  if (promotions.length > 0 || cell === undefined || cell.isRendered) return promotions;
  const { reason, message, since } = cell.trouble ?? {
    reason: 'Rendering',
    message: 'The GitOps repository is being written',
    since: cell.since,
  };
  return [{ promotion: '', reason, message, since, text: `${reason}: ${message}` }];
}

function waitOf(
  environment: string,
  promotion: ToldPromotion,
  graph: readonly GraphEnvironment[],
  now: number,
): readonly ToldWaiting[] {
  const { name, state, waiting, steps, beginsIn } = promotion;
  const step = steps.find((one) => one.environment === environment);
  if (step?.status === 'in-progress') {
    // Of several environments at once, the run tells the one whose time is over first; of the others their Environments do.
    const isTold = waiting?.message.startsWith(`${environment}: `) === true;
    const { reason, message, beganAt: since } = step;
    const until = isTold ? waiting?.until : untilOf(step, graph);
    return [
      { promotion: name, reason, message, since, until, text: inWords(name, message || 'it has begun', until, now) },
    ];
  }
  if (step !== undefined || !beginsIn.includes(environment)) return [];
  const { reason = '', message = 'it has not been looked at yet', since, until } = waiting ?? {};
  const told = state === 'Waiting' ? `waits for its turn: ${message}` : message;
  return [{ promotion: name, reason, message, since, until, text: inWords(name, told, until, now) }];
}

function inWords(name: string, message: string, until: string | undefined, now: number): string {
  return `${name}: ${message}${until === undefined ? '' : ` (until ${timeOf(until, now)})`}`;
}
