import { type Moment, type Next, type Step, settled } from '../core/step.ts';
import { withConditions } from '../core/with-conditions.ts';
import { decideExpansion } from './decide-expansion.ts';
import { decideOrphans } from './decide-orphans.ts';
import { decideWithdrawal } from './decide-withdrawal.ts';
import { isMadeOf } from './is-made-of.ts';
import {
  knockClaim,
  type ProvisionEffect,
  type ProvisionedClaim,
  type ProvisionPart,
  type SeenProvision,
} from './provision-effect.ts';
import { conditionOf, inTime, provisioned, waitFor } from './provision-wait.ts';
import type { Target } from './target.ts';
import { allotResources } from './wanted-resources.ts';

/**
 * Decides what a claim needs of the one who makes targets. Whatever is asked for has one owner at every moment: the claim
 * until a target is made of it, the target from then on, and nobody only where neither is left. Nothing is ever asked for
 * twice, and nothing is left behind: the names and the UID of the claim lead back to it after any crash.
 */
export function decideProvision(seen: SeenProvision, moment: Moment): Step<ProvisionEffect> {
  const { effects = [], conditions = [], knocks = [], next } = decideClaim(seen, moment);
  const isNews = withConditions(seen.claim?.said ?? [], conditions, moment.now) !== undefined;
  return {
    effects: [...decideOrphans(seen), ...effects, ...(isNews ? [{ do: 'tell-claim', at: moment.now } as const] : [])],
    conditions,
    knocks,
    next,
  };
}

function decideClaim(seen: SeenProvision, moment: Moment): ProvisionPart {
  const { claim, provisioner } = seen;
  if (claim === undefined || provisioner === undefined) return { next: settled };
  const ours: ProvisionedClaim = { ...seen, claim, provisioner, moment };
  if (claim.isDeleting) return decideWithdrawal(ours);
  if (claim.isBindComplete) return decideExpansion(ours);
  return decideMaking(ours);
}

function decideMaking(seen: ProvisionedClaim): ProvisionPart {
  const { claim, provisioner, provision, target, class: asking, moment } = seen;
  // OBSERVED: a target is kept for the claim. It gets no second one; the binder does the rest.
  if (target !== undefined) return keepTarget(seen, target);
  if (seen.isNamespaceGoing || asking === undefined) return { next: settled };

  const allotment = allotResources(claim.resources, asking);
  if ('reason' in allotment) return told(allotment.reason, allotment.message, settled);

  const asks: readonly ProvisionEffect[] = [{ do: 'ask-provisioner', provisioner, at: moment.now }];
  switch (provision.state) {
    case 'absent': {
      const message = `${provisioner} has been asked for a target of class ${asking.name}`;
      // Nobody knocks where the provisioner does not take the request, so somebody looks again.
      const next = waitFor({ reason: 'Provisioning', message, what: provisioner, wakesUs: false }, moment);
      return { effects: asks, ...told('Provisioning', inTime('Provisioning', message, moment), next) };
    }
    case 'underway':
    case 'refused': {
      const { reason, message } = provision;
      const isUnfinished = provision.state === 'underway' && provision.isUnfinished;
      const next = waitFor({ ...provision, wakesUs: provision.wakesUs && !isUnfinished }, moment);
      return { effects: isUnfinished ? asks : [], ...told(reason, inTime(reason, message, moment), next) };
    }
    case 'leaving': {
      const message = `${provision.what} is being removed; another one is asked for when it is gone`;
      const next = waitFor({ ...provision, reason: 'Terminating', message }, moment);
      return told('Terminating', inTime('Terminating', message, moment), next);
    }
    case 'ready': {
      // OBSERVED: the claim has grown since it was asked for.
      if (provision.isUnfinished) {
        const message = `${provision.what} is being enlarged`;
        const next = waitFor({ ...provision, reason: 'Updating', message, wakesUs: false }, moment);
        return { effects: asks, ...told('Updating', inTime('Updating', message, moment), next) };
      }
      const { targetName: name } = seen;
      return {
        effects: [
          { do: 'create-target', name },
          { do: 'attach-target', name, to: provision.what },
        ],
        conditions: [provisioned],
        knocks: [knockClaim(seen)],
        next: settled,
      };
    }
  }
}

function keepTarget(seen: ProvisionedClaim, target: Target): ProvisionPart {
  const { claim, provisioner, provision, moment } = seen;
  if (target.isDeleting) {
    const message = `DeploymentTarget ${target.name} is being removed; another one is made when it is gone`;
    const what = `DeploymentTarget ${target.name}`;
    return told('Terminating', message, waitFor({ reason: 'Terminating', message, what, wakesUs: false }, moment));
  }
  const isOurs = isMadeOf(provision, target, claim, provisioner);
  const isUntold = isOurs && provision.state !== 'absent' && provision.target === undefined;
  return {
    effects: isUntold ? [{ do: 'attach-target', name: target.name, to: provision.what }] : [],
    conditions: isOurs || target.provisionedBy === provisioner ? [provisioned] : [],
    // Not at every look: the binder answers a pending claim with a knock here, and two who knock at each other never rest.
    knocks: isUntold ? [knockClaim(seen)] : [],
    next: settled,
  };
}

function told(reason: string, message: string, next: Next): ProvisionPart {
  return { conditions: [conditionOf('Provisioned', reason, message)], next };
}
