import { type Moment, recheck, type Step, settled } from '../core/step.ts';
import { secondsToLook } from './seconds-to-look.ts';
import { spaceConditions } from './space-conditions.ts';
import type { Place, SeenSpace, SpaceEffect } from './space-request.ts';
import { tellOf } from './tell-space.ts';

const deadlineSeconds = 120;

/**
 * Decides how a SpaceRequest goes: its namespaces first, then the Secret that opened them, then its finalizer. It waits
 * for as long as a namespace needs, and says so when that is longer than two minutes.
 */
export function decideSpaceLeaving({ request, places, kubeconfig }: SeenSpace, moment: Moment): Step<SpaceEffect> {
  const { now } = moment;
  const [place] = places;
  if (place === undefined) {
    const effects: SpaceEffect[] = [
      ...(kubeconfig.state === 'absent' || kubeconfig.name === undefined
        ? []
        : [{ do: 'delete-kubeconfig', secret: kubeconfig.name } as const]),
      ...(request.isHeld ? [{ do: 'let-go-of-request' } as const] : []),
    ];
    return { effects, conditions: [], knocks: [], next: settled };
  }
  const stuck = places.find(({ leavingSince }) => isOver(leavingSince, now));
  const going = spaceConditions.terminating(`The namespace ${place.name} is being deleted.`);
  const condition = stuck === undefined ? going : spaceConditions.unableToTerminate(stillThere(stuck));
  const wait = { reason: 'Terminating', message: going.message, deadlineSeconds };
  return {
    effects: [
      ...places.flatMap(({ name, leavingSince }): SpaceEffect[] =>
        leavingSince === undefined ? [{ do: 'delete-namespace', namespace: name }] : [],
      ),
      ...tellOf(request, condition, now),
    ],
    conditions: [condition],
    knocks: [],
    next: recheck(secondsToLook(moment, wait.reason), wait),
  };
}

function isOver(since: number | undefined, now: number): boolean {
  return since !== undefined && now - since >= deadlineSeconds * 1_000;
}

function stillThere({ name, inTheWay }: Place): string {
  const why = inTheWay === '' ? '' : `: ${inTheWay}`;
  return `The namespace ${name} is still there two minutes after its deletion${why}`;
}
