import type { Engine } from '../domain/gitops/placement.ts';
import type { ClusterAccess } from './cluster.ts';
import type { OperatorLine } from './operator-ledger.ts';

/** An Argo CD as its operator sees it. */
export interface RegisteredEngine extends Engine {
  readonly applications: number;
  /** The address of its cluster; empty for the tenants' own. */
  readonly host: string;
}

export interface EngineToRegister extends Pick<Engine, 'instanceId' | 'namespace' | 'clusterId' | 'transport'> {
  readonly access: ClusterAccess;
}

/** A tenant, where it is, and what it has there. */
export interface PlacedTenant {
  readonly namespace: string;
  readonly namespaceUid: string;
  readonly instanceId: string;
  readonly applications: readonly string[];
  readonly credentials: readonly string[];
  /** Environments whose cluster Secret was written beside that Argo CD. */
  readonly environments: readonly string[];
  /** Operations that have not ended. */
  readonly operations: number;
  /** Its project is still there. */
  readonly hasProject: boolean;
}

/** The Argo CDs and who is placed on them. Every write leaves a line in the ledger, in the same transaction. */
export interface EngineRegister {
  list(): Promise<readonly RegisteredEngine[]>;
  /** Known already: its credentials and its transport become these. */
  add(engine: EngineToRegister, line: OperatorLine): Promise<'added' | 'renewed'>;
  /** False: there is no such engine. */
  setAccepting(instanceId: string, accepts: boolean, line: OperatorLine): Promise<boolean>;
  /** The tenants of a namespace of this name or UID; a namespace that was made again is another tenant. */
  tenants(namespace: string): Promise<readonly PlacedTenant[]>;
  /** False: it is not where it was any more, or has something there by now. */
  move(tenant: PlacedTenant, instanceId: string, line: OperatorLine): Promise<boolean>;
}
