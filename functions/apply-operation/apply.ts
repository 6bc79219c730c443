import {
  appProjects,
  argoApplications,
  type ObjectKind,
  operations,
  secrets,
} from '../../shared/contracts/kubernetes/kinds.ts';
import { annotations, finalizers } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import type { Step } from '../../shared/domain/core/step.ts';
import { operationName } from '../../shared/domain/gitops/names.ts';
import type { OperationEffect, PieceKind } from '../../shared/domain/gitops/operation.ts';
import { syncInfo } from '../../shared/domain/gitops/sync.ts';
import { withoutCredentials } from '../../shared/domain/gitops/without-credentials.ts';
import { secretData } from '../../shared/domain/gitops/written-object.ts';
import { Conflict, Refused } from '../../shared/ports/trouble.ts';
import type { Seen, SeenOperation, Services } from './sight.ts';

const kinds: Readonly<Record<PieceKind, ObjectKind>> = {
  project: appProjects,
  'cluster-secret': secrets,
  'repository-secret': secrets,
  application: argoApplications,
};
const refresh = { [annotations.argoRefresh.key]: 'normal' };

/** Does what was decided, one after another. What the next look must know stays in the memory of the message. */
export async function apply(
  seen: Seen,
  { effects }: Step<OperationEffect>,
  services: Services,
  signal: AbortSignal,
): Promise<void> {
  for (const effect of effects) {
    if (effect.do === 'delete-operation-object') await removeObject(seen, effect.name, services, signal);
    else if (seen.kind === 'operation') await attempt(seen, effect, services, signal);
  }
}

async function attempt(
  seen: SeenOperation,
  effect: OperationEffect,
  { memory }: Services,
  signal: AbortSignal,
): Promise<void> {
  try {
    await act(seen, effect, signal);
  } catch (error) {
    if (error instanceof Conflict) memory.distrust = true;
    if (!(error instanceof Refused)) throw error;
    memory.refused = refusal(effect, error);
    throw new Conflict(memory.refused, { cause: error });
  }
}

async function act(seen: SeenOperation, effect: OperationEffect, signal: AbortSignal): Promise<void> {
  const { cluster, sight } = seen;
  const { namespace } = sight.engine;
  switch (effect.do) {
    case 'begin-operation':
    case 'complete-operation':
    case 'fail-operation':
    case 'delete-operation-object':
    case 'refuse-operation-object':
      return;
    case 'create-operation-object':
      return createObject(seen, effect, signal);
    case 'delete-application':
      return deleteApplication(seen, effect.name, signal);
    case 'touch-application':
      return patch(
        seen,
        effect.name,
        { metadata: { annotations: { ...refresh, [annotations.reconcileAt.key]: effect.at } } },
        signal,
      );
    case 'refresh-application':
      // One that is gone by now has nothing left to look at.
      await cluster.patch(
        argoApplications,
        { namespace, name: effect.name },
        { metadata: { annotations: refresh } },
        { signal },
      );
      return;
    case 'strip-finalizers':
      return patch(seen, effect.name, { metadata: { ...version(seen, effect.name), finalizers: null } }, signal);
    case 'request-sync':
      return patch(seen, effect.name, requestOf(seen, effect.name, effect.sync), signal);
    case 'terminate-sync':
      return patch(
        seen,
        effect.name,
        { metadata: version(seen, effect.name), status: { operationState: { phase: 'Terminating' } } },
        signal,
      );
    case 'withdraw-sync':
      return patch(seen, effect.name, { metadata: version(seen, effect.name), operation: null }, signal);
    default: {
      const [verb, kind] = taken(effect.do);
      const writing = seen.writings.get(effect.name) ?? {};
      const key = { namespace, name: effect.name };
      if (verb === 'create') await cluster.create(kinds[kind], bodyOf(seen, effect.name), { signal });
      else if (verb === 'delete') await cluster.remove(kinds[kind], key, { signal, uid: writing.uid });
      else if (!(await cluster.patch(kinds[kind], key, writing.patch ?? {}, { signal })))
        throw new Conflict(`${kinds[kind].kind} ${effect.name} is gone`);
    }
  }
}

/** Argo CD removes what an Application has deployed only if this finalizer is there. */
async function deleteApplication(seen: SeenOperation, name: string, signal: AbortSignal): Promise<void> {
  const { metadata } = seen.applications.get(name) ?? {};
  if (metadata === undefined) return;
  const { key } = finalizers.argoApplication;
  if (!metadata.finalizers.includes(key))
    await patch(
      seen,
      name,
      { metadata: { ...version(seen, name), finalizers: [...metadata.finalizers, key] } },
      signal,
    );
  const { namespace } = seen.sight.engine;
  await seen.cluster.remove(
    argoApplications,
    { namespace, name },
    { signal, uid: metadata.uid, propagation: 'Foreground' },
  );
}

async function patch(seen: SeenOperation, name: string, body: object, signal: AbortSignal): Promise<void> {
  const { namespace } = seen.sight.engine;
  if (!(await seen.cluster.patch(argoApplications, { namespace, name }, body, { signal })))
    throw new Conflict(`Application ${name} is gone`);
}

/** With a comparison first: what Argo CD knows of Git may be older than the revision. */
function requestOf(seen: SeenOperation, name: string, sync: string): object {
  const { resource } = seen.sight;
  const revision = resource.type === 'SyncOperation' ? resource.row?.revision : undefined;
  return {
    metadata: { ...version(seen, name), annotations: refresh },
    operation: {
      initiatedBy: { username: 'stagecoach' },
      info: [syncInfo(sync)],
      // What the revision has no more goes, as it does where Argo CD syncs by itself: otherwise it would never be Synced.
      sync: { revision, prune: true, syncStrategy: { hook: {} } },
    },
  };
}

function bodyOf(seen: SeenOperation, name: string) {
  const { secret, project, application } = seen.writings.get(name) ?? {};
  const body = secret === undefined ? (application ?? project) : undefined;
  if (body !== undefined) return { metadata: { ...body.metadata }, spec: body.spec };
  if (secret === undefined) throw new Error(`nobody knows what ${name} should be`);
  return { metadata: { ...secret.metadata }, type: 'Opaque', data: secretData(secret) };
}

async function createObject(
  { cluster, sight }: SeenOperation,
  { operation, repair, at }: Extract<OperationEffect, { do: 'create-operation-object' }>,
  signal: AbortSignal,
): Promise<void> {
  const source = repair ? { annotations: { [annotations.operationSource.key]: 'periodic-cleanup' } } : {};
  const metadata = { name: operationName(operation), namespace: sight.engine.namespace, ...source };
  try {
    await cluster.create(operations, { metadata, spec: { operationID: operation } }, { signal });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    // It is there already. The agent may wait for something, and looks again when the object changes.
    const touched = { metadata: { annotations: { [annotations.reconcileAt.key]: at } } };
    await cluster.patch(operations, metadata, touched, { signal });
  }
}

/** It is one of our own cluster. If we may not remove it, the pass over everything collects it. */
async function removeObject(
  { object }: Seen,
  name: string,
  { clusters }: Services,
  signal: AbortSignal,
): Promise<void> {
  if (object === undefined) return;
  const { namespace, name: seen, uid } = object.metadata;
  try {
    // The name of another one has the id of its operation in it.
    await clusters.local.remove(operations, { namespace, name }, { signal, ...(name === seen && { uid }) });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

function version(seen: SeenOperation, name: string): { readonly resourceVersion?: string } {
  const resourceVersion = seen.applications.get(name)?.metadata.resourceVersion;
  return resourceVersion === undefined ? {} : { resourceVersion };
}

function taken(effect: `${'create' | 'update' | 'delete'}-${PieceKind}`): [string, PieceKind] {
  const dash = effect.indexOf('-');
  return [effect.slice(0, dash), effect.slice(dash + 1) as PieceKind];
}

/** The API server may quote what it refuses; nothing of a Secret may be told, and no address with a password in it. */
function refusal(effect: OperationEffect, { reason, forUser }: Refused): string {
  const what = `${effect.do.replace('-', ' ')}${'name' in effect ? ` ${effect.name}` : ''}`;
  if (effect.do.endsWith('-secret')) return `The API server refused to ${what} (${reason})`;
  return `The API server refused to ${what} (${reason}): ${withoutCredentials(forUser)}`;
}
