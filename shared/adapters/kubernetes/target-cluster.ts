import { parse } from 'yaml';
import { namespaces } from '../../contracts/kubernetes/kinds.ts';
import { Kubeconfig } from '../../contracts/kubernetes/kubeconfig.ts';
import type { Connection, TargetAccess } from '../../domain/gitops/managed-environment.ts';
import type { Cluster, Clusters } from '../../ports/cluster.ts';
import type { TargetClusters } from '../../ports/target-cluster.ts';
import { Conflict, Refused } from '../../ports/trouble.ts';
import { findAccount, inspectAccount, installAccount, removeAccount } from './target-account.ts';
import { connectionOf } from './target-trouble.ts';
import { openTimeLimit } from './time-limit.ts';

interface TargetClustersSettings {
  readonly clusters: Pick<Clusters, 'at'>;
  readonly timeoutMs: number;
}

/** A kubeconfig is some kilobytes; with certificates of many clusters it is some dozens. */
const mostKubeconfigBytes = 262_144;
/** A step may call four times, one after the other, and has to end within its own minute. */
const mostTimeoutMs = 12_000;

export function openTargetClusters({ clusters, timeoutMs }: TargetClustersSettings): TargetClusters {
  /** One limit for all requests of a call: a cluster that answers each of them just in time is too slow, too. */
  async function within<Result>(
    access: TargetAccess,
    outer: AbortSignal,
    work: (cluster: Cluster, signal: AbortSignal) => Promise<Result>,
    otherwise: (error: unknown) => Result,
  ): Promise<Result> {
    const limit = openTimeLimit(Math.min(timeoutMs, mostTimeoutMs), outer);
    try {
      // Not only by the signal: a connection that is being made does not listen to it until it stands.
      return await Promise.race([work(clusters.at(access), limit.signal), ended(limit.signal)]);
    } catch (error) {
      // The step is over: that says nothing about the cluster.
      outer.throwIfAborted();
      if (error instanceof Conflict) throw error;
      return otherwise(error);
    } finally {
      limit.end();
    }
  }

  return {
    readKubeconfig: readTenantKubeconfig,
    connect: (access, namespace, signal) =>
      within(access, signal, (cluster, limited) => connect(cluster, namespace, limited), connectionOf),
    inspect: (access, names, signal) =>
      within(
        access,
        signal,
        (cluster, limited) => inspectAccount(cluster, names, limited),
        (error) => ({ state: connectionOf(error), isComplete: false, token: undefined }),
      ),
    install: (access, names, signal) =>
      within(
        access,
        signal,
        async (cluster, limited) => {
          await installAccount(cluster, names, limited);
          return undefined;
        },
        // It goes into a condition, so whatever the cluster says, the token is not in it.
        (error) =>
          error instanceof Refused ? error.forUser.replaceAll(access.token, '***') : 'the cluster stopped answering',
      ),
    find: (access, names, signal) =>
      within(
        access,
        signal,
        async (cluster, limited) => ((await findAccount(cluster, names, limited)) ? 'present' : 'gone'),
        (error) => {
          const connection = connectionOf(error);
          // The account may do everything. Who is told otherwise with its token asks after it was taken away.
          return connection === 'forbidden' || isUnauthorized(error) ? 'gone' : 'unreachable';
        },
      ),
    remove: (access, names, signal) =>
      within(
        access,
        signal,
        (cluster, limited) => removeAccount(cluster, names, limited),
        // The next look finds what is left.
        () => undefined,
      ),
  };
}

function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

async function connect(cluster: Cluster, namespace: string | undefined, signal: AbortSignal): Promise<Connection> {
  if (namespace !== undefined)
    return (await cluster.read(namespaces, { namespace: '', name: namespace }, { signal })) === undefined
      ? 'refused'
      : 'works';
  for await (const _page of cluster.list(namespaces, { signal })) return 'works';
  // Not even an empty list: whatever answers there, it knows no namespaces.
  return 'refused';
}

/** YAML that refers to itself, grows when it is read or is no kubeconfig at all is unreadable, and no more is said of it. */
function readTenantKubeconfig(bytes: Uint8Array): ReturnType<TargetClusters['readKubeconfig']> {
  if (bytes.length > mostKubeconfigBytes) return 'unreadable';
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const document: unknown = parse(text, { maxAliasCount: 0, merge: false, schema: 'core', logLevel: 'error' });
    const read = Kubeconfig.safeParse(document);
    return read.success ? read.data : 'unreadable';
  } catch {
    return 'unreadable';
  }
}

function isUnauthorized(error: unknown): boolean {
  return (
    error instanceof Error && error.cause instanceof Error && 'status' in error.cause && error.cause.status === 401
  );
}
