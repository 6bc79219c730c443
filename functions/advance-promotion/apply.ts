import { promotionRuns, syncRuns } from '../../shared/contracts/kubernetes/kinds.ts';
import { annotations, labels } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import type { Condition } from '../../shared/domain/core/condition.ts';
import { fitsLabel } from '../../shared/domain/core/object-name.ts';
import type { Step } from '../../shared/domain/core/step.ts';
import { withConditions } from '../../shared/domain/core/with-conditions.ts';
import { mergePatch } from '../../shared/domain/gitops/merge-patch.ts';
import { considerPromotion } from '../../shared/domain/promotion/consider-promotion.ts';
import { runLabels } from '../../shared/domain/promotion/decide-promotion.ts';
import type { Run } from '../../shared/domain/promotion/promotion.ts';
import type { PromotionEffect } from '../../shared/domain/promotion/promotion-effect.ts';
import type { RunStatus } from '../../shared/domain/promotion/run-status.ts';
import { statusOf } from '../../shared/domain/promotion/status-of.ts';
import { Conflict } from '../../shared/ports/trouble.ts';
import { newRun } from '../../shared/runtime/new-run.ts';
import { refusalOf } from '../../shared/runtime/refusal-of.ts';
import type { SeenByStep, Services } from './observe.ts';
import { type Refusals, writeBindings } from './write-bindings.ts';

/** What came of it. */
export interface Applied {
  readonly refusals: Refusals;
  /** Of the run, where something was written to it: nobody else has changed it since it was seen. */
  readonly version: string | undefined;
}

/**
 * What has come to its end is written down first: whoever dies after this is not asked again whether it was so. Then Bindings,
 * syncs and the run that follows, and what is said comes last: it says what is true by then.
 */
export async function applyPromotion(
  seen: SeenByStep,
  step: Step<PromotionEffect>,
  services: Services,
  signal: AbortSignal,
): Promise<Applied> {
  const { namespace, run, application } = seen;
  if (run === undefined) return { refusals: new Map(), version: undefined };
  const { local } = services.clusters;
  const key = { namespace, name: run.name };
  let { version } = run;
  const written = (now: string): void => {
    version = now;
  };
  await settleSteps(seen, run, step, services);
  signal.throwIfAborted();
  const refusals = await writeBindings(seen, run, step, services, signal);
  let noFollowers: string | undefined;
  for (const effect of step.effects) {
    switch (effect.do) {
      case 'label-run': {
        const metadata = { resourceVersion: version, labels: runLabels(run) };
        await there(local.patch(promotionRuns, key, { metadata }, { signal, written }), run.name);
        break;
      }
      case 'sync-deployment':
        // Where that may not be, nothing is synced, and the deadline of the step says so.
        await refusalOf(local.create(syncRuns, newSync(namespace, run, effect), { signal }));
        break;
      case 'start-followers':
        noFollowers = await refusalOf(
          local.create(
            promotionRuns,
            newRun({
              namespace,
              name: effect.name,
              application: { name: run.application, uid: application?.uid ?? '' },
              snapshot: { name: run.snapshot, uid: effect.snapshotUid },
              environments: effect.environments,
              cause: { kind: 'PromotionRun', name: run.name },
            }),
            { signal },
          ),
        );
        break;
      case 'tell-user': {
        const told = statusOf(seen, run, effect.at);
        const status = mergePatch(run.status, noFollowers === undefined ? told : alone(told, noFollowers, effect.at));
        const patch = { metadata: { resourceVersion: version }, status };
        await there(local.patch(promotionRuns, key, patch, { subresource: 'status', signal, written }), run.name);
        break;
      }
      default:
    }
  }
  return { refusals, version };
}

async function settleSteps(
  seen: SeenByStep,
  run: Run,
  { effects }: Step<PromotionEffect>,
  { promotions }: Services,
): Promise<void> {
  const ends = effects.filter((effect) => effect.do === 'end-step');
  const stored = seen.open.find(({ uid }) => uid === run.uid);
  const [first] = ends;
  if (first === undefined || stored === undefined) return;
  const { steps } = considerPromotion(seen, run, stored, first.at);
  const ended = steps.filter(({ environment }) => ends.some((one) => one.environment === environment));
  await promotions.settle({ namespace: seen.namespace, name: run.name, uid: run.uid }, ended);
}

/** It is the record of what was asked for, so it stays as long as the run does. Whoever deletes the run stops a sync that still runs. */
function newSync(
  namespace: string,
  { name: promotion, uid, application }: Run,
  { name, environment, deployment, revision }: Extract<PromotionEffect, { do: 'sync-deployment' }>,
) {
  const known = {
    [labels.application]: application,
    [labels.environment]: environment,
    [labels.cause]: promotion,
  };
  return {
    metadata: {
      namespace,
      name,
      labels: Object.fromEntries(Object.entries(known).filter(([, value]) => fitsLabel(value))),
      annotations: { [annotations.cause.key]: `PromotionRun ${promotion}` },
      ownerReferences: [{ apiVersion: 'appstudio.redhat.com/v1alpha1', kind: 'PromotionRun', name: promotion, uid }],
    },
    spec: { gitopsDeploymentName: deployment, revisionID: revision },
  };
}

/** It has ended well, whatever becomes of those that would follow. */
function alone(told: RunStatus, refusal: string, now: number): RunStatus {
  const condition: Condition = {
    type: 'AutomatedPromotion',
    status: 'False',
    reason: 'Refused',
    message: `The PromotionRun for the environments that follow was refused: ${refusal}`,
  };
  return { ...told, conditions: withConditions(told.conditions, [condition], now) ?? told.conditions };
}

/** It went while we looked at it. */
async function there(written: Promise<boolean>, name: string): Promise<void> {
  if (!(await written)) throw new Conflict(`${name} is gone`);
}
