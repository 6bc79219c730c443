import { instantOf } from '../core/instant.ts';
import { type Knock, type Moment, type Step, settled } from '../core/step.ts';
import { inWords } from '../core/subject.ts';
import { applicationName, operationSubject } from '../gitops/names.ts';
import { type ArgoStatus, unknownStatus } from './argo-status.ts';
import { type DeploymentStatus, describeStatus } from './describe-status.ts';
import type { Kept } from './keep.ts';
import type { Destination } from './summarize.ts';

/** What the rows say about an Argo CD Application whose name is one of ours. */
export interface ReportedRows {
  readonly applicationId: string;
  readonly engineNamespace: string;
  /** The Argo CD of that namespace; undefined where none is registered. */
  readonly instanceId: string | undefined;
  /** The namespace of whom it belongs to, where that is known. */
  readonly tenantNamespace: string | undefined;
  /** Somebody has asked already for the Application to be made as the rows say. */
  readonly operationPending: boolean;
  /** Somebody has asked for that before, however it ended: the application was ours once. */
  readonly wasKnown: boolean;
  /** Undefined: there is no such application, so there should be no Application either. */
  readonly application: ReportedApplication | undefined;
}

export interface ReportedApplication {
  readonly ownerUserId: string | undefined;
  /** The GitOpsDeployment; its UID is the id of the application. */
  readonly deployment: { readonly namespace: string; readonly name: string } | undefined;
  readonly destination: Destination | undefined;
  /** What was last kept of its status, as JSON. */
  readonly kept: string | undefined;
  /** Syncs that a user asked for and that Argo CD has not ended. */
  readonly syncRuns: readonly { readonly namespace: string; readonly name: string }[];
  /** Promotions that wait for this deployment. */
  readonly promotions: readonly { readonly namespace: string; readonly name: string; readonly application: string }[];
}

/** The Argo CD Application. */
interface ReportedArgo {
  readonly version: string;
  readonly ours: boolean;
  /** It has no status at all. */
  readonly isNew: boolean;
  readonly status: ArgoStatus;
  readonly kept: Kept;
}

/** What stands in the cluster. */
export interface ReportSeen {
  readonly rows: ReportedRows;
  /** Undefined: it is gone. */
  readonly argo: ReportedArgo | undefined;
  /** Undefined: gone, or another one of the same name by now, or not worth a look as nothing is new or others go first. */
  readonly deployment: { readonly version: string; readonly status: DeploymentStatus } | undefined;
}

export type ReportEffect =
  | {
      readonly do: 'request-application';
      readonly application: string;
      readonly instance: string;
      readonly why: string;
    }
  | {
      readonly do: 'report-status';
      readonly deployment: string;
      readonly at: string;
      readonly fields: readonly string[];
    }
  | {
      readonly do: 'keep-status';
      readonly application: string;
      readonly at: string;
      readonly without: readonly string[];
    };

/**
 * Decides what becomes of a change of an Argo CD Application. Whatever is said already is not said again: an Application
 * that only tells that it was looked at costs no write.
 */
export function decideReport(seen: ReportSeen, { now }: Pick<Moment, 'now'>): Step<ReportEffect> {
  const { rows, argo } = seen;
  // OBSERVED: somebody else's.
  if (argo !== undefined && !argo.ours) return step([], []);

  // OBSERVED: an Application without a row. A deletion that is under way ends by itself.
  if (rows.application === undefined) {
    if (argo === undefined) return rows.operationPending ? step([], [operationKnock(rows)]) : step([], []);
    // One that nobody here remembers may be all that a restored database has forgotten: its deployment may live. The drift
    // pass looks for that before anything is deleted.
    return rows.operationPending || !rows.wasKnown ? step([], []) : request(rows, 'it has no row');
  }

  // OBSERVED: a row without an Application. Somebody took it away.
  if (argo === undefined)
    return rows.operationPending ? step([], [operationKnock(rows)]) : request(rows, 'it was taken away');

  const at = instantOf(now);
  const { deployment, kept, syncRuns, promotions } = rows.application;
  const knocks: Knock[] = syncRuns.map(({ namespace, name }) => ({
    type: 'sync-run.changed.v1',
    subject: { namespace, name },
  }));
  // OBSERVED: Argo CD has not looked at it yet. There is nothing to tell, and soon there will be.
  if (argo.isNew && kept === undefined) return step([], knocks);

  const change = seen.deployment === undefined ? undefined : describeStatus(toldOf(seen, seen.deployment.status), at);
  const effects: ReportEffect[] = [];
  if (change !== undefined && deployment !== undefined)
    effects.push({ do: 'report-status', deployment: inWords(deployment), at, fields: Object.keys(change) });
  if (kept === argo.kept.text) return step(effects, knocks);
  effects.push({ do: 'keep-status', application: rows.applicationId, at, without: argo.kept.without });
  // A promotion reads what is kept, and asks here itself where it waits for long: without news nobody answers it.
  knocks.push(...promotions.map((subject) => ({ type: 'promotion.changed.v1', subject })));
  if (goesOnFirst(seen)) knocks.push(lookAgain(rows));
  return step(effects, knocks);
}

/**
 * Does a promotion go on with this report? It needs what is kept of it, and not that the deployment was told: that comes in a
 * look of its own, so that nobody who is woken by it stands in the way of the promotion.
 */
export function goesOnFirst({ rows, argo }: Pick<ReportSeen, 'rows' | 'argo'>): boolean {
  if (argo === undefined || rows.application === undefined || !argo.ours) return false;
  const { promotions, kept, deployment } = rows.application;
  const { sync, health } = argo.status;
  const isWell = sync?.status === 'Synced' && health?.status === 'Healthy';
  return isWell && promotions.length > 0 && deployment !== undefined && kept !== argo.kept.text;
}

/** Without a version: whatever was kept of it before, the deployment is looked at. */
function lookAgain({ engineNamespace: namespace, applicationId }: ReportedRows): Knock {
  return { type: 'argo-application.changed.v1', subject: { namespace, name: applicationName(applicationId) } };
}

/** What is to be told to the deployment, for describe-status.ts. */
export function toldOf({ rows, argo }: ReportSeen, current: DeploymentStatus) {
  return {
    status: argo?.status ?? unknownStatus,
    destination: rows.application?.destination,
    current,
  };
}

/** Only the side of the operations touches Argo CD: it compares rows and cluster, and makes or deletes the Application. */
function request(rows: ReportedRows, why: string): Step<ReportEffect> {
  const { applicationId: application, instanceId: instance } = rows;
  // Not a namespace that we were told of: what stands there is none of our business.
  if (instance === undefined) return step([], []);
  return step([{ do: 'request-application', application, instance, why }], [operationKnock(rows)]);
}

/** In line with the other operations of the tenant, where it is known who that is. */
function operationKnock({ tenantNamespace, engineNamespace, applicationId }: ReportedRows): Knock {
  const namespace = tenantNamespace ?? engineNamespace;
  return { type: 'operation.requested.v1', subject: operationSubject(namespace, 'Application', applicationId) };
}

function step(effects: readonly ReportEffect[], knocks: readonly Knock[]): Step<ReportEffect> {
  return { effects, conditions: [], knocks, next: settled };
}
