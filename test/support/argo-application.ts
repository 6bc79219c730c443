import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from './api-client.ts';
import { pathOf } from './api-world.ts';
import { until } from './until.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface ArgoSource extends Fields {
  readonly repoURL: string;
  readonly path?: string;
  readonly targetRevision?: string;
}

export interface ArgoResource {
  readonly group?: string;
  readonly version: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly status?: string;
  readonly message?: string;
  readonly health?: { readonly status: string; readonly message?: string };
  readonly requiresPruning?: boolean;
  readonly hookPhase?: string;
  readonly syncPhase?: string;
}

/** The status of an Application, as far as the service and its clients read it. */
export interface ArgoStatus {
  readonly sync?: {
    readonly status: string;
    readonly revision?: string;
    readonly comparedTo?: { readonly source?: ArgoSource; readonly destination: Fields };
  };
  readonly health?: { readonly status: string };
  readonly resources?: readonly ArgoResource[];
  readonly conditions?: readonly { readonly type: string; readonly message: string }[];
  readonly history?: readonly { readonly id: number; readonly revision: string; readonly source?: ArgoSource }[];
  readonly operationState?: {
    readonly phase: string;
    readonly message?: string;
    readonly operation: Fields;
    readonly startedAt: string;
    readonly finishedAt?: string;
    readonly retryCount?: number;
    readonly syncResult?: {
      readonly revision: string;
      readonly source?: ArgoSource;
      readonly resources?: readonly ArgoResource[];
    };
  };
  readonly reconciledAt?: string;
  readonly sourceType?: string;
  readonly summary?: { readonly images?: readonly string[] };
}

export interface ArgoObject {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly deletionTimestamp?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
  };
  readonly operation?: Fields;
  readonly status: ArgoStatus;
}

/** An Application that a test made. */
export interface ArgoApplication {
  readonly name: string;
  /** Undefined when it is gone. */
  read(): Promise<ArgoObject | undefined>;
  /** The first state that the predicate takes; where none comes, the error tells the last one. */
  until(what: string, isSo: (status: ArgoStatus, app: ArgoObject) => boolean): Promise<ArgoStatus>;
  /** Both words at once, with the operation that led there ended. */
  untilSettled(sync: string, health: string): Promise<ArgoStatus>;
  /** The revision is what was synced last, and what it was compared with. */
  untilDeployed(revision: string): Promise<ArgoStatus>;
  /** Sets the annotation and waits until it has been obeyed: it is gone then. */
  refresh(kind?: 'normal' | 'hard'): Promise<ArgoStatus>;
  /** Refreshes again and again: Argo CD may see a changed Secret or project a moment later than the test wrote it. */
  refreshUntil(what: string, isSo: (status: ArgoStatus) => boolean): Promise<ArgoStatus>;
  patch(change: Fields): Promise<void>;
  delete(): Promise<void>;
  untilGone(): Promise<void>;
}

const refreshAnnotation = 'argocd.argoproj.io/refresh';
const lookEveryMs = 50;

export interface Patience {
  /** How long a test waits for one thing. */
  readonly deadlineMs: number;
  /**
   * Touch an Application that so long nothing has come of. The real Argo CD lays the answer to its own last patch over what
   * it has watched meanwhile, and so may overlook an operation, a refresh or a deletion that was asked for in that moment,
   * until the Application changes again.
   */
  readonly nudgeEveryMs?: number | undefined;
}

export function openArgoApplication(
  api: ApiClient,
  namespace: string,
  name: string,
  { deadlineMs, nudgeEveryMs = Number.POSITIVE_INFINITY }: Patience,
): ArgoApplication {
  const path = pathOf('argoproj.io/v1alpha1', 'applications', namespace, name);

  async function read(): Promise<ArgoObject | undefined> {
    const { code, body, text } = await api.get(path);
    if (code === 404) return undefined;
    if (code !== 200) throw new Error(`cannot read the Application: ${text}`);
    return { ...body, status: body.status ?? {} } as unknown as ArgoObject;
  }
  function openLook(): () => Promise<ArgoObject | undefined> {
    let touched = Date.now();
    return async () => {
      if (Date.now() - touched > nudgeEveryMs) {
        touched = Date.now();
        await api.patch(path, 'merge', { metadata: { annotations: { 'contract/nudged-at': `${touched}` } } });
      }
      // The API server and the stand-in may run in this very process: leave them the time to work.
      await pause(lookEveryMs);
      return read();
    };
  }
  async function untilIs(what: string, isSo: (status: ArgoStatus, app: ArgoObject) => boolean): Promise<ArgoStatus> {
    const look = openLook();
    let last: ArgoObject | undefined;
    try {
      return await until(
        what,
        async () => {
          last = await look();
          return last && isSo(last.status, last) ? last.status : undefined;
        },
        deadlineMs,
      );
    } catch (error) {
      const seen = last && { annotations: last.metadata.annotations, operation: last.operation, status: last.status };
      throw new Error(`${(error as Error).message}; the last state: ${JSON.stringify(seen)}`);
    }
  }
  async function refresh(kind = 'normal'): Promise<ArgoStatus> {
    await patch({ metadata: { annotations: { [refreshAnnotation]: kind } } });
    return untilIs('a refresh', (_status, app) => app.metadata.annotations?.[refreshAnnotation] === undefined);
  }
  async function patch(change: Fields): Promise<void> {
    const { code, text } = await api.patch(path, 'merge', change);
    if (code !== 200) throw new Error(`cannot change the Application: ${text}`);
  }

  return {
    name,
    read,
    until: untilIs,
    untilSettled: (sync, health) =>
      untilIs(
        `${sync} and ${health}`,
        (status, app) =>
          status.sync?.status === sync &&
          status.health?.status === health &&
          app.operation === undefined &&
          status.operationState?.phase !== 'Running',
      ),
    untilDeployed: (revision) =>
      untilIs(
        `${revision} to be deployed`,
        ({ sync, operationState }, app) =>
          sync?.status === 'Synced' &&
          sync.revision === revision &&
          app.operation === undefined &&
          operationState?.phase === 'Succeeded' &&
          operationState.syncResult?.revision === revision,
      ),
    refresh,
    refreshUntil: (what, isSo) =>
      until(
        what,
        async () => {
          const status = await refresh('hard');
          return isSo(status) && status;
        },
        deadlineMs,
      ),
    patch,
    async delete() {
      const { code, text } = await api.delete(path);
      if (code !== 200) throw new Error(`cannot delete the Application: ${text}`);
    },
    async untilGone() {
      const look = openLook();
      await until(`Application ${name} to be gone`, async () => (await look()) === undefined, deadlineMs);
    },
  };
}
