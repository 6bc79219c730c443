import type { Status } from '../core/condition.ts';

/** The condition of the older kinds, GitOpsDeployment and GitOpsDeploymentSyncRun. Times are ISO 8601. */
export interface ProbedCondition {
  readonly type: string;
  readonly status: Status;
  readonly reason: string;
  readonly message: string;
  readonly lastProbeTime?: string | undefined;
  readonly lastTransitionTime?: string | undefined;
}

export type Said = Pick<ProbedCondition, 'type' | 'status' | 'reason' | 'message'>;

/** The list with this said in it. The very same list where it is said already, so that nothing needs to be written. */
export function say(conditions: readonly ProbedCondition[], said: Said, now: string): readonly ProbedCondition[] {
  const before = conditions.find(({ type }) => type === said.type);
  if (before !== undefined && isSame(before, said)) return conditions;
  const after = { ...said, lastProbeTime: now, lastTransitionTime: now };
  return before === undefined
    ? [...conditions, after]
    : conditions.map((condition) => (condition === before ? after : condition));
}

/** What was wrong is right again: False, with the type and `Resolved` as the reason. Nothing to say where nothing was wrong. */
export function sayResolved(
  conditions: readonly ProbedCondition[],
  type: string,
  now: string,
): readonly ProbedCondition[] {
  const before = conditions.find((condition) => condition.type === type);
  if (before === undefined) return conditions;
  return say(conditions, { type, status: 'False', reason: `${type}Resolved`, message: '' }, now);
}

function isSame(one: Said, other: Said): boolean {
  return one.status === other.status && one.reason === other.reason && one.message === other.message;
}
