import { promotionRuns } from '../../shared/contracts/kubernetes/kinds.ts';
import { runOf } from '../../shared/contracts/promotions.ts';
import { followerName } from '../../shared/domain/promotion/follower-name.ts';
import type { GraphEnvironment, Run } from '../../shared/domain/promotion/promotion.ts';
import { type WayAhead, wayAhead } from '../../shared/domain/promotion/way-ahead.ts';
import type { ObjectKey } from '../../shared/ports/cluster.ts';
import type { ToldPromotion } from '../../shared/ports/promotion-reader.ts';
import type { Context } from './context.ts';
import { listEnvironments } from './promote-check.ts';

/** A PromotionRun, and no other one of its name. */
export interface KnownRun extends ObjectKey {
  /** The UID. */
  readonly id: string;
}

/** How a PromotionRun stands, and what is ahead of it. */
export interface PromotionOutlook {
  /** Undefined: the PromotionRun is gone, and the rows tell what became of it. */
  readonly run: Pick<Run, 'name' | 'application' | 'snapshot' | 'goal' | 'cause' | 'status'> | undefined;
  /** What the rows know of it. Undefined: nothing yet. */
  readonly promotion: ToldPromotion | undefined;
  /** Those of the same application that go before it, the first one first. */
  readonly before: readonly ToldPromotion[];
  /** Environments that it goes on to; of a manual one, the run that follows it does. */
  readonly ahead: WayAhead;
  /** The automated run that was made when it ended. */
  readonly follower: string | undefined;
  readonly environments: readonly GraphEnvironment[];
}

/** Undefined: nobody ever knew it. Reads only. */
export async function outlookOf(context: Context, key: ObjectKey): Promise<PromotionOutlook | undefined> {
  const { local } = context.world().clusters;
  const [object, kept, open, environments] = await Promise.all([
    local.read(promotionRuns, key),
    context.promotions.one(key),
    context.promotions.open(key.namespace),
    listEnvironments(local, key.namespace),
  ]);
  const run = object && runOf(object);
  // One that is made again under the name of another has nothing to do with it.
  const promotion = run === undefined || kept?.id === run.uid ? kept : undefined;
  if (run === undefined && promotion === undefined) return undefined;
  const id = run?.uid ?? promotion?.id ?? '';
  const application = run?.application ?? promotion?.application ?? '';
  const line = open.filter((one) => one.application === application);
  const place = line.findIndex((one) => one.id === id);
  const isOver = (run?.status.state ?? promotion?.state) === 'Completed';
  const isManual = run === undefined ? promotion?.isAutomated === false : run.goal.kind === 'manual';
  const follower = isManual && isOver ? await followerOf(context, { ...key, id }) : undefined;
  return {
    run,
    promotion,
    before: isOver ? [] : line.slice(0, place === -1 ? line.length : place),
    ahead: ahead(run, promotion, environments),
    follower: follower?.name,
    environments,
  };
}

/** Why nothing follows one that has ended well, though it should. Undefined: it is followed, or nothing comes behind. */
export function whyAlone({ run, ahead: { next }, follower }: PromotionOutlook): string | undefined {
  if (follower !== undefined) return undefined;
  const refused = run?.status.conditions.find(
    ({ type, status }) => type === 'AutomatedPromotion' && status === 'False',
  );
  if (refused !== undefined) return refused.message;
  const [first] = next;
  if (first === undefined) return undefined;
  const [come, them] = first.length === 1 ? ['comes', 'it'] : ['come', 'them'];
  return `${first.join(' and ')} ${come} behind, and there is no PromotionRun that went on to ${them} by itself`;
}

/** The automated run that a manual one made when it ended, also where it is gone by now. Undefined: nobody knows of one. */
export async function followerOf(context: Context, { namespace, name, id }: KnownRun): Promise<KnownRun | undefined> {
  const follower = { namespace, name: followerName({ name, uid: id }) };
  const found = await context.world().clusters.local.read(promotionRuns, follower);
  if (found !== undefined) return { ...follower, id: found.metadata.uid };
  const kept = await context.promotions.one(follower);
  return kept && { ...follower, id: kept.id };
}

/** From where it is now, or from where it will begin. */
function ahead(
  run: Run | undefined,
  promotion: ToldPromotion | undefined,
  environments: readonly GraphEnvironment[],
): WayAhead {
  const steps = promotion?.steps ?? [];
  const depth = Math.max(0, ...steps.map(({ step }) => step));
  const last = steps.filter(({ step }) => step === depth).map(({ environment }) => environment);
  const goal = run?.goal;
  const named =
    goal === undefined ? (promotion?.beginsIn ?? []) : goal.kind === 'manual' ? [goal.target] : goal.initial;
  const passed = steps.map(({ environment }) => environment);
  return wayAhead(last.length > 0 ? last : named, environments, passed);
}
