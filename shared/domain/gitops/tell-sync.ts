import { instantOf } from '../core/instant.ts';
import type { Moment } from '../core/step.ts';
import { type Said, say } from './probed-conditions.ts';
import type { Health, SyncEffect, SyncRow, SyncRun } from './sync.ts';
import { truncate } from './truncate.ts';
import { withoutCredentials } from './without-credentials.ts';

/** The limit of the row is in bytes, and a character may have four of them. */
const longestMessage = 1_024;

/** What a run says while something is wrong. */
export function wrong(message: string): Said {
  return { type: 'ErrorOccurred', status: 'True', reason: 'ErrorOccurred', message };
}

/** What a run says that has ended well. Clients take it for the end, so it is not said before. */
export const right: Said = { type: 'ErrorOccurred', status: 'False', reason: '', message: '' };

/** Nothing is wrong, but it has not ended: only a complaint of before is taken back. */
export function notWrong(run: SyncRun): Said | undefined {
  return run.conditions.some(({ type }) => type === right.type) ? right : undefined;
}

export function missingText(deploymentName: string): string {
  return `Unable to retrieve GitOpsDeployment '${deploymentName}' referenced by the GitOpsDeploymentSyncRun`;
}

/** Has it said nothing yet but that its deployment is missing? One that has said anything else has its row, or gets none. */
export function isUndecided({ deleting, conditions, deploymentName }: SyncRun): boolean {
  const said = conditions.find(({ type }) => type === right.type);
  return !deleting && (said === undefined || said.message.startsWith(missingText(deploymentName)));
}

/** What the user changed though it cannot change. What was asked for first counts. */
function immutableText(run: SyncRun, row: SyncRow | undefined): string | undefined {
  if (row === undefined) return undefined;
  if (run.deploymentName !== row.deploymentName)
    return 'deployment name field is immutable: changing it from its initial value is not supported';
  // To write out what empty meant changes nothing.
  if (run.revisionId !== row.revisionId && !(row.revisionId === '' && run.revisionId === row.revision))
    return 'revision change is not supported: changing it from its initial value is not supported';
  return undefined;
}

export interface Told {
  /** Undefined: what it says may stay. */
  readonly said: Said | undefined;
  /** Only at the end: what the sync has led to. */
  readonly shown?: { readonly syncStatus: string; readonly health: Health | undefined } | undefined;
}

/** What is to be written to the run; nothing where it says so already. */
export function tellSync(run: SyncRun, row: SyncRow | undefined, { said, shown }: Told, moment: Moment): SyncEffect[] {
  const changed = immutableText(run, row);
  const now = changed === undefined ? said : wrong(changed);
  const conditions = now === undefined ? run.conditions : say(run.conditions, now, instantOf(moment.now));
  const isShown = shown === undefined || (shown.syncStatus === run.syncStatus && isSame(shown.health, run.health));
  if (conditions === run.conditions && isShown) return [];
  return [{ do: 'report-sync', status: { conditions, ...shown } }];
}

/** A text of Argo CD as a row and a condition can hold it, without the credentials of any URL in it. */
export function plainMessage(text: string): string {
  const plain = withoutCredentials(text.toWellFormed().replaceAll('\u0000', ''));
  return truncate(plain, longestMessage);
}

function isSame(one: Health | undefined, other: Health | undefined): boolean {
  return one === undefined || (one.status === other?.status && one.message === other.message);
}
