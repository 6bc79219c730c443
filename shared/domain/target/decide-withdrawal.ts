import { settled } from '../core/step.ts';
import { isMadeOf } from './is-made-of.ts';
import { knockClaim, type ProvisionedClaim, type ProvisionPart } from './provision-effect.ts';
import { conditionOf, inTime, waitFor } from './provision-wait.ts';
import type { Target } from './target.ts';

const reason = 'Terminating';

/**
 * A claim that is being deleted. What was made for it goes first, and where a target was made of that, the target goes and
 * takes it along: the binder keeps the claim until nothing is left. Where the class says Retain, all of it stays.
 */
export function decideWithdrawal(seen: ProvisionedClaim): ProvisionPart {
  const { claim, provisioner, provision, target, class: asking, moment } = seen;
  const isOfTarget = target !== undefined && isMadeOf(provision, target, claim, provisioner);
  if (target !== undefined && isOfTarget) return withTarget(seen, target);

  switch (provision.state) {
    case 'absent':
      return { knocks: claim.isHeld ? [knockClaim(seen)] : [], next: settled };
    case 'leaving': {
      const { what, isStuck, complaint } = provision;
      const why = isStuck ? 'UnableToTerminate' : reason;
      const message = complaint === '' ? `${what} is being removed` : complaint;
      return told(why, inTime(why, message, moment), waitFor({ ...provision, reason: why, message }, moment));
    }
    default: {
      const { what } = provision;
      // It belongs to another target than the claim's.
      if (target !== undefined && provision.target !== undefined) return { next: settled };
      // Where nobody can be asked, only what was never used may go.
      const mayGo = asking === undefined ? !claim.isBindComplete : asking.reclaimPolicy === 'Delete';
      if (!mayGo) return { next: settled };
      const message = `${what} is being removed`;
      return {
        effects: [{ do: 'release-provision', what }],
        ...told(reason, inTime(reason, message, moment), waitFor({ ...provision, reason, message }, moment)),
      };
    }
  }
}

function withTarget(seen: ProvisionedClaim, target: Target): ProvisionPart {
  const { claim, class: asking, moment } = seen;
  // The binder deletes the target of a bound claim, or lets it go.
  if (claim.isBindComplete || (asking?.reclaimPolicy !== 'Delete' && !target.isDeleting)) return { next: settled };
  const what = `DeploymentTarget ${target.name}`;
  const message = `${what} is being removed`;
  return {
    effects: target.isDeleting ? [] : [{ do: 'delete-target', name: target.name, uid: target.uid }],
    ...told(reason, inTime(reason, message, moment), waitFor({ reason, message, what, wakesUs: false }, moment)),
  };
}

function told(why: string, message: string, next: ProvisionPart['next']): ProvisionPart {
  return { conditions: [conditionOf('Provisioned', why, message)], next };
}
