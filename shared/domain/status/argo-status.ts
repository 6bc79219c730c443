/** What Argo CD says about one Application, as far as we read it. The rest is carried along. */
export interface ArgoStatus {
  readonly sync?: ArgoSync | undefined;
  readonly health?: ArgoHealth | undefined;
  readonly resources: readonly ArgoResource[];
  readonly conditions: readonly { readonly type: string; readonly message: string }[];
  readonly operationState?: ArgoOperationState | undefined;
  readonly [field: string]: unknown;
}

export interface ArgoHealth {
  readonly status: string;
  readonly message: string;
}

interface ArgoSync {
  readonly status: string;
  readonly revision: string;
  /** What it last compared with what. */
  readonly comparedTo?:
    | {
        readonly source?:
          | { readonly repoURL: string; readonly path: string; readonly targetRevision: string }
          | undefined;
        readonly destination?: { readonly name: string; readonly namespace: string } | undefined;
      }
    | undefined;
}

interface ArgoResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly status: string;
  readonly health?: ArgoHealth | undefined;
}

export interface ArgoOperationState {
  readonly operation?: Readonly<Record<string, unknown>> | undefined;
  readonly phase: string;
  readonly message: string;
  readonly syncResult?: Readonly<Record<string, unknown>> | undefined;
  readonly startedAt?: string | undefined;
  readonly finishedAt?: string | undefined;
  readonly retryCount?: number | undefined;
}

/** Of an Application that Argo CD has not looked at yet. */
export const unknownStatus: ArgoStatus = { resources: [], conditions: [] };
