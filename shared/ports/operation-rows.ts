import type { OperationType } from '../domain/gitops/names.ts';
import type { OperationSight } from '../domain/gitops/operation.ts';
import type { RowWrite } from './journal.ts';

/** Which resource, and who says so. */
export interface OperationTarget {
  readonly type: OperationType;
  readonly resourceId: string;
  /** The tenant's namespace of the API, as the knock names it. */
  readonly namespace: string;
  /** Only beside this Argo CD. */
  readonly instanceId?: string | undefined;
}

/** An operation that an object names. */
export interface NamedOperation extends OperationTarget {
  readonly instanceId: string;
  readonly engineNamespace: string;
  /** Its Argo CD has an agent of its own. */
  readonly byAgent: boolean;
  readonly ended: boolean;
}

/** What a step came to, as far as rows have to tell it. */
export interface OperationOutcome {
  readonly begun: readonly string[];
  readonly completed: readonly string[];
  readonly failed: readonly { readonly id: string; readonly why: string }[];
  /** What stands beside the Argo CD now. */
  readonly application?: { readonly id: string; readonly revision: number } | undefined;
  readonly credentials?: { readonly id: string; readonly revision: number } | undefined;
  readonly environment?: { readonly id: string; readonly credentialsId: string } | undefined;
  readonly project?:
    | {
        readonly userId: string;
        /** Undefined: it was deleted. */
        readonly digest: string | undefined;
        readonly repositories: readonly string[];
        readonly recordedRepositories: readonly string[];
      }
    | undefined;
  /** An environment that is gone, and that nothing is deployed to any more. */
  readonly leftEnvironment?: string | undefined;
  readonly instanceId: string;
}

/** The rows behind what stands beside an Argo CD. */
export interface OperationRows {
  /** Undefined: there is no such operation. */
  find(operationId: string): Promise<NamedOperation | undefined>;
  /** Everything that the rows say, in one round trip. Undefined: nobody knows anything about it. */
  observe(target: OperationTarget): Promise<OperationSight | undefined>;
  /** A text that is the same for the same text and another one for any other. */
  digest(text: string): string;
  record(outcome: OperationOutcome): readonly RowWrite[];
}
