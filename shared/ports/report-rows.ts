import type { ReportedRows } from '../domain/status/decide-report.ts';
import type { StatusGist } from '../domain/status/gist-of.ts';
import type { ClusterAccess } from './cluster.ts';
import type { RowWrite } from './journal.ts';

/** What the rows say about an Argo CD Application, and how to reach the cluster that it stands in. */
interface ReportedFrom {
  readonly rows: ReportedRows;
  /** Undefined: the tenants' own cluster. */
  readonly access: ClusterAccess | undefined;
}

/** The rows that keep what Argo CD said. */
export interface ReportRows {
  /** Undefined: the application of this id belongs to another Argo CD, or to one that is out of our reach. Throws Transient where the database is away. */
  observe(engineNamespace: string, applicationId: string): Promise<ReportedFrom | undefined>;
  /** Whether a status is small enough to be kept. */
  fits(text: string): boolean;
  /** Keeps a status as it was at that moment, an ISO 8601 time. An application that is gone by now keeps nothing. */
  keep(applicationId: string, text: string, at: string, gist: StatusGist): RowWrite;
  /** Asks for an Application to be made as its rows say, or to be deleted where there are none. */
  request(applicationId: string, instanceId: string, ownerUserId: string | undefined): RowWrite;
}
