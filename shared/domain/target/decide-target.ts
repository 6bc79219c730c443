import type { Claim } from '../claim/claim.ts';
import { isLater } from '../core/interest.ts';
import { patienceSeconds } from '../core/patience.ts';
import { type Knock, type Moment, type Next, recheck, type Step, settled } from '../core/step.ts';
import { withConditions } from '../core/with-conditions.ts';
import { holdOf } from './hold.ts';
import { letsGo, type Policy, phaseOf, type Standing } from './phase.ts';
import type { Target, TargetPhase } from './target.ts';
import { targetConditions } from './target-conditions.ts';

export interface SeenTarget {
  readonly namespace: string;
  readonly name: string;
  /** Undefined: it is gone. */
  readonly target: Target | undefined;
  /** The claim that has the name in its claimRef now, or one that says that it has a target which names nobody. */
  readonly claim: Claim | undefined;
  /** Undefined: nobody asked, or it has no class. */
  readonly policy: Policy | undefined;
  /** What was last remembered of a target of this name. */
  readonly known: KnownTarget | undefined;
  /** Claims without a target for which this change may be a chance. */
  readonly waiting: readonly string[];
  /** The Environments of the claim that has it, or had it. */
  readonly environments: readonly string[];
}

interface KnownTarget {
  readonly uid: string;
  readonly version: string;
  readonly claimName: string | undefined;
}

export type TargetEffect =
  | { readonly do: 'tell-target'; readonly phase: TargetPhase; readonly at: number }
  /** It no longer names its claim. */
  | { readonly do: 'let-go-of-claim'; readonly claim: string };

const deadlineSeconds = 3_600;

/**
 * Decides how a target stands, and who has to know. A target is never given to anybody here: a claim takes it, and
 * this says whether one may, and what became of it.
 */
export function decideTarget(seen: SeenTarget, moment: Moment): Step<TargetEffect> {
  const { target, claim, policy } = seen;
  if (target === undefined)
    return { effects: [], conditions: [], knocks: isNews(seen) ? knocksAbout(seen) : [], next: settled };

  const hold = holdOf(target, claim);
  const standing: Standing = { target, claim, hold, policy };
  const phase = phaseOf(standing);
  const isLetGo = letsGo(standing);
  const conditions = targetConditions(target, phase, isLetGo ? 'nobody' : hold, policy);
  const isToldAnew = phase !== target.phase || withConditions(target.said, conditions, moment.now) !== undefined;
  const effects: TargetEffect[] = [
    ...(isToldAnew ? [{ do: 'tell-target', phase, at: moment.now } as const] : []),
    ...(isLetGo ? [{ do: 'let-go-of-claim', claim: target.claim?.name ?? '' } as const] : []),
  ];
  // Whoever was told of this version needs no second knock: two that wake each other would never rest.
  const knocks = effects.length > 0 || isNews(seen) ? knocksAbout(seen, phase) : [];
  return { effects, conditions, knocks, next: nextLook(standing, phase, moment) };
}

/** Is it another target than was remembered, or a later version of it, or is it gone? */
export function isNews({ target, known }: Pick<SeenTarget, 'target' | 'known'>): boolean {
  if (target === undefined || known === undefined) return target !== known;
  return known.uid !== target.uid || isLater(target.version, known.version);
}

function knocksAbout(seen: SeenTarget, phase?: TargetPhase): readonly Knock[] {
  const { namespace, name, target, claim, known, waiting, environments } = seen;
  const at = (type: string, names: readonly (string | undefined)[]): readonly Knock[] =>
    [...new Set(names)].flatMap((one) => (one === undefined ? [] : [{ type, subject: { namespace, name: one } }]));
  return [
    ...at('claim.changed.v1', [target?.claim?.name, claim?.name, known?.claimName, ...waiting]),
    ...at('environment.changed.v1', environments),
    ...(target !== undefined && concernsProvisioner(target, phase) ? at('target.released.v1', [name]) : []),
  ];
}

/** What a provisioner made is held until that has let go of what is behind it. */
function concernsProvisioner({ provisionedBy, isDeleting, isHeld }: Target, phase: TargetPhase | undefined): boolean {
  return provisionedBy !== undefined && (isDeleting || phase === 'Released' || !isHeld);
}

function nextLook({ target, hold, policy }: Standing, phase: TargetPhase, moment: Moment): Next {
  const { className, claim, isDeleting } = target;
  // Nobody tells when a class comes back.
  if (policy === 'missing') {
    const message = `The class ${className} does not exist, so nobody knows what becomes of the target`;
    return lookAgain('ClassNotFound', message, moment);
  }
  if (policy === 'unexpected' || policy === 'unreadable')
    return lookAgain('ClassNotUnderstood', `The class ${className} does not say what becomes of the target`, moment);
  // Whether its claim comes, takes another one or goes is told to the claim, and not to every target that names it.
  const isDone = hold === 'nobody' || hold === 'gone' || (hold === 'held' && phase === 'Bound');
  if (!isDone && phase !== 'Failed' && !isDeleting)
    return lookAgain('ClaimNotBound', `It waits for the claim ${claim?.name ?? 'that has it'}`, moment);
  return settled;
}

function lookAgain(reason: string, message: string, moment: Moment): Next {
  return recheck(patienceSeconds(moment, reason), { reason, message, deadlineSeconds });
}
