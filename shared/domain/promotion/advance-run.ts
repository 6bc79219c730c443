import { instantOf } from '../core/instant.ts';
import { deadlineSecondsUntil, patienceSeconds } from '../core/patience.ts';
import { type Moment, type Next, recheck, type Step, settled } from '../core/step.ts';
import { askAgain } from './ask-again.ts';
import { type Considered, considerPromotion } from './consider-promotion.ts';
import { describeActive, isSaid } from './describe-run.ts';
import { followerName } from './follower-name.ts';
import { knockAt, wakeNext } from './line-up.ts';
import type { Run, SeenPromotion, StoredRun } from './promotion.ts';
import type { PromotionEffect } from './promotion-effect.ts';
import type { RunStatus } from './run-status.ts';

/** What knocks at itself looks again at once; this is for the case that the knock gets lost. */
const momentSeconds = 60;
const shortSeconds = 3;

/**
 * Decides the next step of a run whose turn it is. What it has to change in the cluster comes before the rows that say so;
 * what it saw of a step that has ended is in the rows before anything is done or told on account of it.
 */
export function advanceRun(seen: SeenPromotion, run: Run, stored: StoredRun, moment: Moment): Step<PromotionEffect> {
  const { namespace } = seen;
  const { now } = moment;
  const considered = considerPromotion(seen, run, stored, now);
  const { steps, begin, ending } = considered;
  const status = describeActive(run, stored, considered, now);
  const isTold = isSaid(run, status);
  const follower = followerName(run);
  const isAwaiting = steps.some(
    (step) =>
      step.evidence.length >
      (seen.steps.find(({ environment }) => environment === step.environment)?.evidence.length ?? 0),
  );
  const isFollowed = ending !== undefined && ending.followers.length > 0;
  const writes = stepEffects(steps, now);
  return {
    effects: [
      ...writes.filter((effect) => effect.do === 'end-step'),
      ...begin
        .filter(({ failure }) => failure === undefined)
        .map(
          ({ environment, binding, name, before }): PromotionEffect =>
            binding === undefined
              ? { do: 'create-binding', name, environment, snapshot: run.snapshot, before }
              : { do: 'promote-binding', name, environment, snapshot: run.snapshot, from: binding.snapshot, before },
        ),
      ...syncsToAskFor(seen, considered),
      ...(isFollowed && !seen.followers.includes(follower)
        ? [
            {
              do: 'start-followers',
              name: follower,
              environments: ending.followers,
              snapshotUid: steps[0]?.snapshotUid ?? '',
            } as const,
          ]
        : []),
      ...begin.map(
        ({ environment, step, failure }): PromotionEffect => ({
          do: 'begin-step',
          environment,
          step,
          status: failure === undefined ? 'in-progress' : 'failed',
          reason: failure?.reason ?? 'Begun',
          at: now,
        }),
      ),
      ...writes.filter((effect) => effect.do === 'keep-step'),
      ...(ending === undefined
        ? isTold
          ? []
          : [{ do: 'keep-run', reason: status.waiting?.reason ?? 'InProgress', at: now } as const]
        : [{ do: 'end-run', uid: run.uid, result: ending.result, reason: ending.reason, at: now } as const]),
      ...(isTold ? [] : [{ do: 'tell-user', at: now } as const]),
    ],
    conditions: [],
    knocks: [
      // What was awaited may have come before anybody knew that it was awaited, and a place may be ready already.
      ...(isAwaiting || begin.length > 0 ? [knockAt(namespace, run.name, run.application)] : []),
      ...(ending === undefined ? [] : wakeNext(seen, [run.uid])),
      ...(isFollowed ? [knockAt(namespace, follower, run.application)] : []),
      ...(ending === undefined && considered.handedOver === undefined && (isTold || steps.some(({ isLate }) => isLate))
        ? askAgain(namespace, run, steps, status.waiting?.reason ?? '', moment)
        : []),
    ],
    next: ending === undefined ? nextOf(considered, status, moment) : settled,
  };
}

function stepEffects(steps: Considered['steps'], now: number): PromotionEffect[] {
  return steps
    .filter(({ isNew }) => isNew)
    .map(({ environment, step, status, reason, ended }) => ({
      do: ended === undefined ? 'keep-step' : 'end-step',
      environment,
      step,
      status,
      reason,
      at: now,
    }));
}

/** Where Argo CD waits to be asked, it is asked once for each commit. */
function syncsToAskFor({ syncs = [] }: SeenPromotion, { steps }: Considered): PromotionEffect[] {
  return steps.flatMap((step) =>
    (step.wait === undefined ? [] : (step.syncs ?? []))
      .filter(({ name }) => !syncs.some((one) => one.name === name))
      .map((sync): PromotionEffect => ({ do: 'sync-deployment', environment: step.environment, ...sync })),
  );
}

/** Whatever is awaited knocks. This is for the case that a knock gets lost. */
function nextOf({ steps, holdUp }: Considered, { waiting }: RunStatus, moment: Moment): Next {
  const reason = waiting?.reason ?? 'InProgress';
  const untils = [
    waiting?.until ?? '',
    ...steps.flatMap(({ wait }) => (wait === undefined ? [] : [instantOf(wait.until)])),
  ];
  const first = Math.min(...untils.filter((one) => one !== '').map((one) => Date.parse(one)));
  const until = Number.isFinite(first) ? first : moment.now + momentSeconds * 1_000;
  const left = Math.max(1, Math.ceil((until - moment.now) / 1_000));
  const patience = holdUp?.isShort === true ? shortSeconds : patienceSeconds(moment, reason);
  return recheck(Math.min(left, patience), {
    reason,
    message: waiting?.message ?? 'The promotion is under way',
    deadlineSeconds: deadlineSecondsUntil(until, moment, reason),
  });
}
