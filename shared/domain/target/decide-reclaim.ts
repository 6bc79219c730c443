import type { Condition } from '../core/condition.ts';
import { type Knock, type Moment, type Next, recheck, type Step, settled } from '../core/step.ts';
import { withConditions } from '../core/with-conditions.ts';
import type { Provision } from './provision.ts';
import { waitFor } from './provision-wait.ts';
import type { Target, TargetClass, TargetPhase } from './target.ts';

export type ReclaimEffect =
  | { readonly do: 'hold-target' }
  | { readonly do: 'delete-target'; readonly uid: string }
  | { readonly do: 'release-provision'; readonly what: string }
  | { readonly do: 'let-target-go' }
  | { readonly do: 'tell-target'; readonly phase: TargetPhase; readonly at: number };

export interface SeenReclaim {
  readonly target: Target;
  /** Of the target; undefined: it has none, or that is gone. */
  readonly class: TargetClass | undefined;
  /** The provisioner that made it is one of ours. */
  readonly isOurs: boolean;
  /** What is behind it. It is looked at when the target goes. */
  readonly provision: Provision;
}

interface Part {
  readonly effects?: readonly ReclaimEffect[];
  /** What is wrong, for the user; empty: nothing is any more. Undefined: nothing is said. */
  readonly trouble?: string | undefined;
  readonly hasFailed?: boolean;
  readonly knocks?: readonly Knock[];
  readonly next: Next;
}

// The words of the original service, which clients know.
const noClass = 'failed to retrieve DeploymentTargetClass of DeploymentTarget';
const strangePolicy = 'unexpected reclaim policy value on DeploymentTargetClass';

/** From then on, what says that it cannot go has failed to. */
const failedAfterSeconds = 120;
const lookSeconds = 30;

/**
 * Decides how a target that a provisioner made comes to its end. It goes when nothing is left behind it, and not before:
 * its finalizer is the only thing that remembers a namespace or a cluster which nobody uses any more. Failed is not the
 * end: whenever what is behind it goes after all, the target goes, too.
 */
export function decideReclaim(seen: SeenReclaim, moment: Moment): Step<ReclaimEffect> {
  const { target } = seen;
  const { effects = [], trouble, hasFailed = false, knocks = [], next } = decide(seen, moment);
  const conditions = trouble === undefined ? [] : conditionsFor(target, trouble);
  const phase = hasFailed ? 'Failed' : target.phase;
  const isNews = phase !== target.phase || withConditions(target.said, conditions, moment.now) !== undefined;
  return {
    effects: [...effects, ...(isNews ? [{ do: 'tell-target', phase, at: moment.now } as const] : [])],
    conditions,
    knocks,
    next,
  };
}

function decide(seen: SeenReclaim, moment: Moment): Part {
  const { target, isOurs } = seen;
  if (target.provisionedBy === undefined) return decideForeign(target);
  // Somebody else's provisioner made it, and takes it away.
  if (!isOurs) return { next: settled };
  return target.isDeleting ? decideLeaving(seen, moment) : decideStanding(seen);
}

/** The original service held every target, also those that people made. Nothing of ours is behind them. */
function decideForeign(target: Target): Part {
  return target.isDeleting && target.isHeld ? letGo(target) : { next: settled };
}

function decideStanding({ target, class: asking }: SeenReclaim): Part {
  // What is wrong with a policy is told by the binder while the target stands.
  if (asking?.reclaimPolicy !== 'Delete') return { next: settled };
  // OBSERVED: its claim was torn away, and the class says what happens then.
  const isUseless = target.phase === 'Released';
  return {
    effects: [
      ...(target.isHeld ? [] : [{ do: 'hold-target' } as const]),
      ...(isUseless ? [{ do: 'delete-target', uid: target.uid } as const] : []),
    ],
    next: settled,
  };
}

function decideLeaving({ target, class: asking, provision }: SeenReclaim, moment: Moment): Part {
  if (!target.isHeld) return { next: settled };
  // Whatever the policy says, there is nothing that it could be about.
  if (provision.state === 'absent' || target.className === '') return letGo(target);
  if (asking === undefined) return unclear('ClassNotFound', noClass, moment);
  if (asking.reclaimPolicy === 'Retain') return letGo(target);
  if (asking.reclaimPolicy !== 'Delete') return unclear('ReclaimPolicyUnknown', strangePolicy, moment);

  if (provision.state !== 'leaving') {
    const message = `${provision.what} is being removed`;
    return {
      effects: [{ do: 'release-provision', what: provision.what }],
      trouble: '',
      next: recheck(lookSeconds, { reason: 'Terminating', message, deadlineSeconds: failedAfterSeconds }),
    };
  }

  const { what, since, isStuck, complaint } = provision;
  const reason = isStuck ? 'UnableToTerminate' : 'Terminating';
  const message = complaint === '' ? `${what} is being removed` : complaint;
  const isEarly = moment.now - since < failedAfterSeconds * 1_000;
  return {
    trouble: complaint,
    hasFailed: isStuck && !isEarly,
    next: isEarly
      ? recheck(lookSeconds, { reason, message, deadlineSeconds: failedAfterSeconds })
      : waitFor({ ...provision, reason, message }, moment),
  };
}

function unclear(reason: string, trouble: string, moment: Moment): Part {
  // Classes tell nobody when they come.
  const next = waitFor({ reason, message: trouble, what: 'DeploymentTargetClass', wakesUs: false }, moment);
  return { trouble, next };
}

function letGo({ namespace, name, claim }: Target): Part {
  return {
    effects: [{ do: 'let-target-go' }],
    knocks: [
      { type: 'target.changed.v1', subject: { namespace, name } },
      ...(claim === undefined ? [] : [{ type: 'claim.changed.v1', subject: { namespace, name: claim.name } }]),
    ],
    next: settled,
  };
}

function conditionsFor({ said }: Target, trouble: string): readonly Condition[] {
  const type = 'ErrorOccurred';
  if (trouble !== '') return [{ type, status: 'True', reason: 'ErrorOccurred', message: trouble }];
  const isSaid = said.some((one) => one.type === type && one.status === 'True');
  return isSaid ? [{ type, status: 'False', reason: 'Success', message: '' }] : [];
}
