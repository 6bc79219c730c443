import type { Condition, Said } from '../core/condition.ts';
import type { Hold } from './hold.ts';
import type { Policy } from './phase.ts';
import type { Target, TargetPhase } from './target.ts';

/** May a claim have it, and if not, why? Said where there is something to do about it. */
const available = 'Available';
const errorOccurred = 'ErrorOccurred';

/** What the reference says where a class cannot tell what becomes of a target. */
const policyErrors: Readonly<Partial<Record<Policy, string>>> = {
  unreadable: 'failed to retrieve DeploymentTargetClass of DeploymentTarget',
  unexpected: 'unexpected reclaim policy value on DeploymentTargetClass',
};

/** What a target in this phase says of itself. */
export function targetConditions(
  target: Target,
  phase: TargetPhase,
  hold: Hold,
  policy: Policy | undefined,
): readonly Condition[] {
  if (target.isDeleting || phase === 'Failed') return [];
  return [...tellAvailable(target, phase, hold), ...tellPolicy(target.said, policy)];
}

function tellAvailable({ said, claim }: Target, phase: TargetPhase, hold: Hold): readonly Condition[] {
  const name = claim?.name ?? '';
  const not = (reason: string, message: string): readonly Condition[] => [
    { type: available, status: 'False', reason, message },
  ];
  if (phase === 'Released')
    return not('Released', 'The claim that had it is gone; it is not given to another one by itself');
  if (phase === 'Pending') return not('NotReachable', 'Nothing in kubernetesCredentials says how to reach it');
  if (hold === 'awaited') return not('ClaimNotFound', `It is kept for the claim ${name}, which does not exist`);
  if (hold === 'elsewhere' && phase !== 'Bound')
    return not('ClaimElsewhere', `It is kept for the claim ${name}, which has or wants another target or class`);
  // What was said before is taken back; who never had anything to say goes on saying nothing.
  if (!said.some(({ type }) => type === available)) return [];
  if (phase === 'Bound') return not('Bound', 'A claim has it');
  return [{ type: available, status: 'True', reason: 'Available', message: '' }];
}

function tellPolicy(said: readonly Said[], policy: Policy | undefined): readonly Condition[] {
  const message = policy === undefined ? undefined : policyErrors[policy];
  if (message !== undefined) return [{ type: errorOccurred, status: 'True', reason: errorOccurred, message }];
  // The reclaimer has errors of its own, and takes them back itself.
  const isOurs = said.some(
    (one) => one.type === errorOccurred && one.status === 'True' && Object.values(policyErrors).includes(one.message),
  );
  return isOurs ? [{ type: errorOccurred, status: 'False', reason: 'Success', message: '' }] : [];
}
