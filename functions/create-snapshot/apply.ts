import { components, snapshots } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Step } from '../../shared/domain/core/step.ts';
import { withConditions } from '../../shared/domain/core/with-conditions.ts';
import { truncate } from '../../shared/domain/gitops/truncate.ts';
import type { SnapshotEffect } from '../../shared/domain/snapshot/seen-component.ts';
import type { RowWrite } from '../../shared/ports/journal.ts';
import { Conflict, Refused } from '../../shared/ports/trouble.ts';
import { newSnapshot } from './objects.ts';
import type { SeenByStep, Services } from './observe.ts';

/** An API server may quote all that it refuses. */
const longestRefusal = 500;

/** The Snapshot, then what is told about the Component, over the version of it that was seen. */
export async function applySnapshot(
  seen: SeenByStep,
  step: Step<SnapshotEffect>,
  services: Services,
  signal: AbortSignal,
): Promise<void> {
  for (const effect of step.effects) {
    if (effect.do === 'create-snapshot') await create(seen, effect, services, signal);
    else if (effect.do === 'tell-user') await tell(seen, step, effect, services, signal);
  }
}

/** What the API server refuses is for the user to know: the next look tells it. */
async function create(
  seen: SeenByStep,
  { name, sequence }: Extract<SnapshotEffect, { do: 'create-snapshot' }>,
  { clusters, memory }: Services,
  signal: AbortSignal,
): Promise<void> {
  try {
    await clusters.local.create(snapshots, newSnapshot(seen, name, sequence), { signal });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    memory.refusal = truncate(error.forUser, longestRefusal);
    throw new Conflict(error.message, { cause: error });
  }
}

async function tell(
  { namespace, name, object, component }: SeenByStep,
  { conditions }: Step<SnapshotEffect>,
  { at, gitops }: Extract<SnapshotEffect, { do: 'tell-user' }>,
  { clusters }: Services,
  signal: AbortSignal,
): Promise<void> {
  const told = withConditions(component?.said ?? [], conditions, at);
  // One that is gone by now has nothing left to be told; its end makes a knock of its own.
  await clusters.local.patch(
    components,
    { namespace, name },
    {
      metadata: { resourceVersion: object?.metadata.resourceVersion },
      status: { ...(told && { conditions: told }), ...(gitops && { gitops }) },
    },
    { subresource: 'status', signal },
  );
}

export function snapshotRows(seen: SeenByStep, { effects }: Step<SnapshotEffect>, { places }: Services): RowWrite[] {
  const { namespace, name, application, stored } = seen;
  return effects.flatMap((effect): RowWrite[] => {
    switch (effect.do) {
      case 'freeze-state':
        return [places.freeze({ namespace, name: application.name, uid: application.uid ?? '' }, effect)];
      case 'keep-component':
        return [places.keepComponent({ ...effect, namespace, name, application: application.name })];
      case 'end-component':
        return stored.filter(({ uid }) => uid === effect.uid).map((row) => places.endComponent(row));
      default:
        return [];
    }
  });
}
