import { promotionRuns } from '../../shared/contracts/kubernetes/kinds.ts';
import { handedOverReason } from '../../shared/domain/promotion/hand-over.ts';
import type { GraphEnvironment } from '../../shared/domain/promotion/promotion.ts';
import type { ToldPromotion } from '../../shared/ports/promotion-reader.ts';
import { isTrouble, Refused } from '../../shared/ports/trouble.ts';
import type { Context } from './context.ts';
import { type ExitCode, exits } from './exit.ts';
import type { Patience } from './onboard-wait.ts';
import { followerOf, type KnownRun, outlookOf, whyAlone } from './promotion-outlook.ts';
import { progressOf } from './render-promotions.ts';

interface Followed {
  readonly code: ExitCode;
  /** The one that the code and the trouble are about. */
  readonly promotion: string;
  /** In the order in which they went; what the rows know of each. */
  readonly runs: readonly ToldPromotion[];
  /** Why it ended without a row that tells. */
  readonly trouble?: string | undefined;
}

/** A run is looked at within a moment; only if it is not, somebody should know. */
const graceMs = 5_000;

/**
 * Looks until a run, and the automated one that follows it, have ended, or time is up. Every change is told once, as a line.
 * Nothing is undone when time is up.
 */
export async function followPromotion(
  context: Context,
  run: KnownRun,
  graph: readonly GraphEnvironment[],
  { seconds, report, pause }: Patience,
): Promise<Followed> {
  const until = context.now() + seconds * 1_000;
  const told = new Map<string, string>();
  const ended: ToldPromotion[] = [];
  let current = run;
  let begun = context.now();
  function tell(key: string, line: string): void {
    if (told.get(key) === line) return;
    told.set(key, line);
    report(`${new Date(context.now()).toISOString().slice(11, 19)}  ${line}`);
  }

  for (;;) {
    const look = await lookAt(context, current);
    const isTooEarly = look.isNew === true && context.now() < begun + graceMs;
    if (look.trouble !== undefined && !isTooEarly) tell(current.id, `${current.name} ${look.trouble}`);
    const seen = look.promotion === undefined ? ended : [...ended, look.promotion];
    const end = (code: ExitCode, trouble?: string): Followed => ({
      code,
      promotion: current.name,
      runs: seen,
      trouble,
    });
    if (look.isOver) return end(exits.promotionFailed, look.trouble);
    for (const { key, line } of look.promotion === undefined ? [] : progressOf(look.promotion, graph, context.now()))
      tell(`${current.id} ${key}`, line);
    if (look.promotion?.state === 'Completed') {
      if (look.promotion.result !== 'Success') return end(exits.promotionFailed);
      // Whoever follows was made before the end was written down.
      const after = await askAgain(() => whatFollows(context, current), until, context, pause);
      if (after === 'time is up') return end(exits.timeIsUp);
      const { follower, trouble } = after;
      if (trouble !== undefined) tell(current.id, `${current.name}: ${trouble}`);
      if (follower === undefined) return trouble === undefined ? end(exits.ok) : end(exits.promotionFailed, trouble);
      ended.push(look.promotion);
      current = follower;
      begun = context.now();
      tell(follower.id, `${follower.name} goes on by itself`);
      continue;
    }
    if (context.now() >= until) return end(exits.timeIsUp);
    await pause();
  }
}

interface Look {
  readonly promotion?: ToldPromotion | undefined;
  readonly trouble?: string | undefined;
  readonly isOver?: boolean | undefined;
  /** Nobody has looked at it yet. */
  readonly isNew?: boolean | undefined;
}

async function lookAt(context: Context, run: KnownRun): Promise<Look> {
  try {
    const promotion = await context.promotions.one(run);
    if (promotion?.id === run.id) {
      const { state, waiting } = promotion;
      const isLeft = state !== 'Completed' && waiting?.reason === handedOverReason;
      return isLeft ? { promotion, trouble: waiting.message, isOver: true } : { promotion };
    }
    const object = await context.world().clusters.local.read(promotionRuns, run);
    if (object === undefined || object.metadata.uid !== run.id)
      return { trouble: 'was deleted before anything came of it', isOver: true };
    const left = object.status?.conditions.find(
      ({ type, status }) => type === 'DeploymentController' && status === 'False',
    );
    return left === undefined
      ? { trouble: 'has not been looked at yet', isNew: true }
      : { trouble: left.message, isOver: true };
  } catch (error) {
    // A database or an API server that is away for a moment is no reason to stop looking; one that refuses us stays so.
    if (!isTrouble(error) || error instanceof Refused) throw error;
    return { trouble: `cannot be seen just now: ${error.message}` };
  }
}

/** Who goes on, or why nobody does where somebody should. Only a manual one is followed. */
async function whatFollows(
  context: Context,
  run: KnownRun,
): Promise<{ readonly follower?: KnownRun | undefined; readonly trouble?: string | undefined }> {
  const follower = await followerOf(context, run);
  if (follower !== undefined) return { follower };
  const outlook = await outlookOf(context, run);
  // One that is made again under its name has nothing to do with it.
  if (outlook?.promotion?.id !== run.id || outlook.promotion.isAutomated) return {};
  return { trouble: whyAlone(outlook) };
}

async function askAgain<T>(
  ask: () => Promise<T>,
  until: number,
  { now }: Pick<Context, 'now'>,
  pause: () => Promise<void>,
): Promise<T | 'time is up'> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isTrouble(error) || error instanceof Refused) throw error;
      if (now() >= until) return 'time is up';
      await pause();
    }
  }
}
