import { bindings } from '../../shared/contracts/kubernetes/kinds.ts';
import { annotations, labels } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import { noteFor } from '../../shared/contracts/promotions.ts';
import { fitsLabel } from '../../shared/domain/core/object-name.ts';
import type { Step } from '../../shared/domain/core/step.ts';
import type { Run } from '../../shared/domain/promotion/promotion.ts';
import type { PromotionEffect } from '../../shared/domain/promotion/promotion-effect.ts';
import { Conflict } from '../../shared/ports/trouble.ts';
import { refusalOf } from '../../shared/runtime/refusal-of.ts';
import type { SeenByStep, Services } from './observe.ts';

/** What the API server has against the Binding of an environment, by environment. */
export type Refusals = ReadonlyMap<string, string>;

/**
 * Brings the snapshot to the environments whose turn has come. A quota or a policy may be against it: looking again does
 * not help then, and neither the environments beside it nor the runs behind it must wait for that.
 */
export async function writeBindings(
  seen: SeenByStep,
  run: Run,
  { effects }: Step<PromotionEffect>,
  { clusters }: Services,
  signal: AbortSignal,
): Promise<Refusals> {
  const refusals = new Map<string, string>();
  const write = async (effect: PromotionEffect): Promise<void> => {
    if (effect.do !== 'create-binding' && effect.do !== 'promote-binding') return;
    const refusal = await refusalOf(
      effect.do === 'create-binding'
        ? clusters.local.create(bindings, newBinding(seen, run, effect), { signal })
        : promote(seen, run, effect, clusters.local, signal),
    );
    if (refusal !== undefined) refusals.set(effect.environment, refusal);
  };
  // Environments of one depth do not wait for one another; and nothing is under way any more when one of them has failed.
  const ends = await Promise.allSettled(effects.map(write));
  const failed = ends.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return refusals;
}

async function promote(
  seen: SeenByStep,
  run: Run,
  { name, before }: Extract<PromotionEffect, { do: 'promote-binding' }>,
  local: Services['clusters']['local'],
  signal: AbortSignal,
): Promise<void> {
  const { namespace } = seen;
  const found = seen.bindings.find((one) => one.name === name);
  if (found === undefined || (found.snapshot === run.snapshot && found.promotionUid === run.uid)) return;
  const noted = { [annotations.stoodBefore.key]: null, ...noteOf(seen, run, before) };
  const metadata = { resourceVersion: found.version, annotations: { ...promotedBy(run), ...noted } };
  const patch = { metadata, spec: { snapshot: run.snapshot } };
  const isThere = await local.patch(bindings, { namespace, name }, patch, { signal });
  if (!isThere) throw new Conflict(`${name} is gone`);
}

function promotedBy({ name, uid }: Run) {
  return { [annotations.promotion.key]: name, [annotations.promotionUid.key]: uid };
}

function noteOf({ snapshot }: SeenByStep, run: Run, before: string) {
  if (before === '' || snapshot === undefined) return {};
  return { [annotations.stoodBefore.key]: noteFor({ name: run.snapshot, uid: snapshot.uid }, before) };
}

/** With the labels that it is found by, and the names of the components: their values are for people to write. */
function newBinding(
  seen: SeenByStep,
  run: Run,
  { name, environment, before }: Extract<PromotionEffect, { do: 'create-binding' }>,
) {
  const { namespace, components } = seen;
  const known = { [labels.application]: run.application, [labels.environment]: environment };
  return {
    metadata: {
      namespace,
      name,
      labels: Object.fromEntries(Object.entries(known).filter(([, value]) => fitsLabel(value))),
      annotations: { ...promotedBy(run), ...noteOf(seen, run, before) },
    },
    spec: {
      application: run.application,
      environment,
      snapshot: run.snapshot,
      components: components.toSorted().map((component) => ({ name: component })),
    },
  };
}
