import { promotionRuns, snapshots } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Step } from '../../shared/domain/core/step.ts';
import { withConditions } from '../../shared/domain/core/with-conditions.ts';
import { type StartEffect, startRefused } from '../../shared/domain/promotion/decide-start.ts';
import { newRun } from '../../shared/runtime/new-run.ts';
import { refusalOf } from '../../shared/runtime/refusal-of.ts';
import type { SeenByStep, Services } from './observe.ts';

export interface Applied {
  /** Of the Snapshot, where it was told something: nothing else has changed it since it was seen. */
  readonly version: string | undefined;
  /** A quota or a policy was against the run. */
  readonly isRefused: boolean;
}

export async function applyStart(
  { namespace, snapshot, application }: SeenByStep,
  { effects, conditions }: Step<StartEffect>,
  { clusters }: Services,
  signal: AbortSignal,
): Promise<Applied> {
  if (snapshot === undefined) return { version: undefined, isRefused: false };
  const { name, uid, version } = snapshot;
  const [start] = effects.filter((effect) => effect.do === 'start-promotion');
  const [told] = effects.filter((effect) => effect.do === 'tell-user');
  let refusal: string | undefined;
  if (start !== undefined) {
    const of = { name: snapshot.application, uid: application?.uid ?? '' };
    const cause = { kind: 'Snapshot', name } as const;
    const asked = { ...start, namespace, application: of, snapshot: { name, uid }, cause };
    // Whoever makes room for it can make the run by hand.
    refusal = await refusalOf(clusters.local.create(promotionRuns, newRun(asked), { signal }));
  }
  const isRefused = refusal !== undefined;
  if (told === undefined) return { version: undefined, isRefused };
  let now: string | undefined;
  const said = refusal === undefined ? conditions : [startRefused(refusal)];
  const status = { conditions: withConditions(snapshot.said, said, told.at) };
  const patch = { metadata: { resourceVersion: version }, status };
  await clusters.local.patch(snapshots, { namespace, name }, patch, {
    subresource: 'status',
    signal,
    written(then) {
      now = then;
    },
  });
  return { version: now, isRefused };
}
