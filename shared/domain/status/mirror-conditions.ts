import { type ProbedCondition, say, sayResolved } from '../gitops/probed-conditions.ts';
import type { ArgoStatus } from './argo-status.ts';

/** What we say ourselves. Argo CD's silence about it means nothing. */
export const shortened = 'StatusTruncated';
const ours: ReadonlySet<string> = new Set(['ErrorOccurred', shortened]);

/** The conditions of the deployment with what Argo CD reports in them, and with what it no longer reports resolved. */
export function mirrorConditions(
  conditions: readonly ProbedCondition[],
  reported: ArgoStatus['conditions'],
  now: string,
): readonly ProbedCondition[] {
  const messages = new Map<string, Set<string>>();
  for (const { type, message } of reported) {
    if (ours.has(type) || type === '') continue;
    messages.set(type, (messages.get(type) ?? new Set()).add(message));
  }
  let mirrored = conditions;
  for (const [type, said] of messages) {
    // Argo CD may report a type several times, in any order; a deployment has one condition of each type.
    const message = [...said].sort().join('\n');
    mirrored = say(mirrored, { type, status: 'True', reason: type, message }, now);
  }
  for (const { type } of conditions)
    if (!ours.has(type) && !messages.has(type)) mirrored = sayResolved(mirrored, type, now);
  return mirrored;
}
