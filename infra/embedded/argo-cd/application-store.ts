import type { ClusterConnection } from '../../../shared/adapters/kubernetes/connection.ts';
import {
  type Application,
  type ApplicationStatus,
  type HistoryEntry,
  type Operation,
  type OperationState,
  refreshAnnotation,
} from './application.ts';
import { statusOf } from './cluster/api-error.ts';
import { mergePatch } from './kube-object.ts';

/** The Applications of one namespace, read and written at the API server. */
export interface ApplicationStore {
  read(name: string): Promise<Application | undefined>;
  /** Writes the difference to what `app` says, and takes the wish for a refresh away. Undefined where the application is gone. */
  writeStatus(app: Application, status: ApplicationStatus): Promise<Application | undefined>;
  /** Starts an operation unless one runs. Undefined where somebody was quicker. */
  startOperation(app: Application, operation: Operation): Promise<Application | undefined>;
  /** Writes how an operation stands, and with its end takes it off. */
  writeOperation(
    app: Application,
    state: OperationState,
    ended: boolean,
    history?: readonly HistoryEntry[],
  ): Promise<Application | undefined>;
  writeFinalizers(app: Application, finalizers: readonly string[]): Promise<void>;
}

export function openApplicationStore(connection: ClusterConnection, namespace: string): ApplicationStore {
  const root = `/apis/argoproj.io/v1alpha1/namespaces/${namespace}/applications`;
  const pathOf = (name: string) => `${root}/${encodeURIComponent(name)}`;

  async function patch({ metadata }: Application, body: unknown): Promise<Application | undefined> {
    const answer = await connection.request(pathOf(metadata.name), {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      // An application of the same name that was made since is another one.
      body: { ...(body as object), metadata: { ...metadataOf(body), uid: metadata.uid } },
      accept: [404, 409],
    });
    return answer.status >= 400 ? undefined : (answer.body as Application);
  }

  return {
    async read(name) {
      const { status, body } = await connection.request(pathOf(name));
      return status === 404 ? undefined : (body as Application);
    },
    async writeStatus(app, status) {
      const asked = app.metadata.annotations?.[refreshAnnotation] !== undefined;
      // How an operation stands is written on its own, perhaps at this moment by a person who ends it.
      const { operationState: _a, history: _b, ...before } = app.status ?? {};
      const { operationState: _c, history: _d, ...after } = status;
      const difference = mergePatch(before, after);
      if (difference === undefined && !asked) return app;
      return patch(app, {
        ...(asked && { metadata: { annotations: { [refreshAnnotation]: null } } }),
        ...(difference !== undefined && { status: difference }),
      });
    },
    async startOperation(app, operation) {
      const { operationState: _gone, ...status } = app.status ?? {};
      // Argo CD writes the whole object here, its empty parts too.
      const body = { ...app, operation, status: { sourceHydrator: {}, summary: {}, ...status } };
      try {
        const answer = await connection.request(pathOf(app.metadata.name), { method: 'PUT', body, accept: [404] });
        return answer.status === 404 ? undefined : (answer.body as Application);
      } catch (error) {
        if (statusOf(error) === 409) return undefined;
        throw error;
      }
    },
    async writeOperation(app, state, ended, history) {
      const before = { operationState: app.status?.operationState };
      const difference = mergePatch(before, { operationState: state, ...(history !== undefined && { history }) });
      if (difference === undefined && !ended) return app;
      return patch(app, { ...(difference !== undefined && { status: difference }), ...(ended && { operation: null }) });
    },
    async writeFinalizers(app, finalizers) {
      await patch(app, { metadata: { finalizers } });
    },
  };
}

function metadataOf(body: unknown): object {
  return (body as { metadata?: object }).metadata ?? {};
}
