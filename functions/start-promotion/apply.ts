import { promotionRuns, snapshots } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Step } from '../../shared/domain/core/step.ts';
import { withConditions } from '../../shared/domain/core/with-conditions.ts';
import type { StartEffect } from '../../shared/domain/promotion/decide-start.ts';
import { newRun } from '../../shared/runtime/new-run.ts';
import type { SeenByStep, Services } from './observe.ts';

/** Answers with the version of the Snapshot where it was told something: nothing else has changed it since it was seen. */
export async function applyStart(
  { namespace, snapshot, application }: SeenByStep,
  { effects, conditions }: Step<StartEffect>,
  { clusters }: Services,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (snapshot === undefined) return undefined;
  const { name, version } = snapshot;
  const [start] = effects.filter((effect) => effect.do === 'start-promotion');
  const [told] = effects.filter((effect) => effect.do === 'tell-user');
  if (start !== undefined) {
    const of = { name: snapshot.application, uid: application?.uid ?? '' };
    const asked = { ...start, namespace, application: of, snapshot: name, cause: { kind: 'Snapshot', name } as const };
    await clusters.local.create(promotionRuns, newRun(asked), { signal });
  }
  if (told === undefined) return undefined;
  let now: string | undefined;
  const status = { conditions: withConditions(snapshot.said, conditions, told.at) };
  const patch = { metadata: { resourceVersion: version }, status };
  await clusters.local.patch(snapshots, { namespace, name }, patch, {
    subresource: 'status',
    signal,
    written(then) {
      now = then;
    },
  });
  return now;
}
