import { mergePatch } from '../gitops/merge-patch.ts';
import { type ProbedCondition, say, sayResolved } from '../gitops/probed-conditions.ts';
import type { ArgoStatus } from './argo-status.ts';
import { isSame, withoutEmpty } from './canonical.ts';
import { mirrorConditions, shortened } from './mirror-conditions.ts';
import { cutShort, type Destination, mostEntries, type Summary, summarize } from './summarize.ts';

/** The status of a GitOpsDeployment as it stands, as far as it is written here. */
export interface DeploymentStatus {
  readonly conditions: readonly ProbedCondition[];
  readonly health?: object | undefined;
  readonly sync?: object | undefined;
  readonly resources: readonly object[];
  readonly operationState?: object | undefined;
  readonly reconciledState?: object | undefined;
}

interface Told {
  readonly status: ArgoStatus;
  readonly destination: Destination | undefined;
  /** Of the deployment, as the API server has it. */
  readonly current: DeploymentStatus;
}

/** An object of the API server may have about 1.5 million bytes; half a million is left for what is not status. */
const mostCharacters = 1_000_000;

/**
 * The merge patch for `status` that makes a deployment say what Argo CD says; undefined where it says so already. With
 * `refused`, the API server did not take the whole status: long lists are cut, and a condition tells it.
 */
export function describeStatus(
  { status, destination, current }: Told,
  now: string,
  { refused = false }: { readonly refused?: boolean } = {},
): Record<string, unknown> | undefined {
  const whole = summarize(status, destination);
  const cut = isLong(whole) && (refused || isCut(current) || JSON.stringify(whole).length > mostCharacters);
  const summary = cut ? cutShort(whole) : whole;
  const mirrored = mirrorConditions(current.conditions, status.conditions, now);
  const conditions = cut ? say(mirrored, tooLarge(whole), now) : sayResolved(mirrored, shortened, now);
  const change = differences(current, { ...summary, conditions });
  // Clients find this field in every status, though all of it may be empty.
  if (current.reconciledState === undefined) change['reconciledState'] = summary.reconciledState;
  return Object.keys(change).length === 0 ? undefined : { ...change, observedAt: now };
}

/** A patch merges, so a sync that has just begun has to take away the end of the one before. */
function differences(before: DeploymentStatus, after: DeploymentStatus): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(after).flatMap(([name, wanted]) => {
      const standing = before[name as keyof DeploymentStatus];
      return isSame(standing, wanted) ? [] : [[name, mergePatch(withoutEmpty(standing), wanted)]];
    }),
  );
}

function isLong(summary: Summary): boolean {
  const short = cutShort(summary);
  return short.resources.length < summary.resources.length || short.operationState !== summary.operationState;
}

/** Once cut, it stays cut until the lists are short: trying again with every change would be refused every time. */
function isCut({ conditions }: DeploymentStatus): boolean {
  return conditions.some(({ type, status }) => type === shortened && status === 'True');
}

function tooLarge({ resources }: Summary) {
  return {
    type: shortened,
    status: 'True',
    reason: shortened,
    message: `The status is too large to be kept whole: its lists stop after ${mostEntries} entries. Argo CD reports ${resources.length} resources`,
  } as const;
}
