import { offers } from '../core/quantity.ts';
import { settled } from '../core/step.ts';
import { isMadeOf } from './is-made-of.ts';
import { knockClaim, type ProvisionedClaim, type ProvisionPart } from './provision-effect.ts';
import { conditionOf, expanded, inTime, provisioned, waitFor } from './provision-wait.ts';
import type { Target } from './target.ts';
import { allotResources } from './wanted-resources.ts';

/** A bound claim: what stands for it belongs to its target, may have to grow, or was not needed in the end. */
export function decideExpansion(seen: ProvisionedClaim): ProvisionPart {
  const { claim, provisioner, provision, target } = seen;
  if (target === undefined || target.isDeleting || provision.state === 'absent' || provision.state === 'leaving')
    return { next: settled };
  if (!isMadeOf(provision, target, claim, provisioner)) {
    // OBSERVED: the claim found another target while this was being made.
    if (provision.target !== undefined) return { next: settled };
    return { effects: [{ do: 'release-provision', what: provision.what }], next: settled };
  }

  const attach =
    provision.target === undefined ? ([{ do: 'attach-target', name: target.name, to: provision.what }] as const) : [];
  const part = offers(target.resources, claim.resources) ? undefined : grow(seen, target);
  const said = claim.said.find(({ type }) => type === 'Expanded');
  return {
    next: part?.next ?? settled,
    effects: [...attach, ...(part?.effects ?? [])],
    conditions: [
      provisioned,
      ...(part?.conditions ?? (said === undefined || said.status === 'True' ? [] : [expanded])),
    ],
    knocks: part?.knocks ?? [],
  };
}

/** The target follows what was really given, never what was only asked for. */
function grow(seen: ProvisionedClaim, target: Target): ProvisionPart | undefined {
  const { claim, provisioner, provision, class: asking, moment } = seen;
  // The binder tells that it is not enough and cannot become more.
  if (!asking?.allowsExpansion || provision.state === 'absent' || provision.state === 'leaving') return undefined;
  const allotment = allotResources(claim.resources, asking);
  if ('reason' in allotment) return failed(allotment.reason, allotment.message);
  if (provision.state === 'refused') {
    const { reason, message } = provision;
    return {
      ...failed(reason, inTime(reason, message, moment)),
      next: waitFor(provision, moment),
    };
  }

  const isGiven = provision.state === 'ready' && offers(provision.resources ?? claim.resources, claim.resources);
  if (isGiven && !provision.isUnfinished)
    return {
      effects: [{ do: 'enlarge-target', name: target.name }],
      conditions: [expanded],
      knocks: [knockClaim(seen)],
      next: settled,
    };
  const reason = 'Expanding';
  const message = `${provision.what} is being enlarged`;
  const { isUnfinished } = provision;
  return {
    ...failed(reason, inTime(reason, message, moment)),
    effects: isUnfinished ? [{ do: 'ask-provisioner', provisioner, at: moment.now }] : [],
    next: waitFor({ ...provision, reason, message, wakesUs: provision.wakesUs && !isUnfinished }, moment),
  };
}

function failed(reason: string, message: string): ProvisionPart {
  return { conditions: [conditionOf('Expanded', reason, message)], next: settled };
}
