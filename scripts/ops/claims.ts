import { claimOf } from '../../shared/contracts/claims.ts';
import { claims, environments, namespaces, spaceRequests, targets } from '../../shared/contracts/kubernetes/kinds.ts';
import { labels } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import { endOfLife } from '../../shared/domain/claim/time-to-live.ts';
import type { Cluster } from '../../shared/ports/cluster.ts';
import { listAll } from '../../shared/runtime/list-all.ts';
import { findLeaks, keyOf, type Leak, type Stock } from './claims-leaks.ts';
import type { Context, Result } from './context.ts';
import { Exit, exits } from './exit.ts';

export interface Claims {
  readonly claims: readonly ListedClaim[];
  /** What costs something and is of use to nobody. */
  readonly leaks: readonly Leak[];
}

export interface ListedClaim {
  readonly namespace: string;
  readonly name: string;
  readonly phase: string;
  readonly class: string;
  readonly target: string;
  readonly owner?: string | undefined;
  readonly ageSeconds: number;
  /** What is left of its time; negative: it should be gone. Absent: it lives as long as it likes. */
  readonly secondsLeft?: number | undefined;
  readonly isDeleting: boolean;
  /** Why it is not bound. */
  readonly waitsFor?: { readonly reason: string; readonly message: string } | undefined;
  /** The Environments that name it. */
  readonly environments: readonly string[];
}

/** Every claim, what it has and waits for, and what is left over. Reads only; ends with 1 where something leaks. */
export async function runClaims(
  context: Context,
  { namespace }: { readonly namespace?: string | undefined },
): Promise<Result<Claims>> {
  const { local } = context.world().clusters;
  const stock = await takeStock(local, namespace);
  if (namespace !== undefined && isEmpty(stock) && !(await exists(local, namespace)))
    throw new Exit(exits.notFound, `There is no namespace ${namespace}, and nothing was left by one of that name.`);
  const now = context.now();
  const leaks = findLeaks(stock, now);
  return {
    code: leaks.length === 0 ? exits.ok : exits.failed,
    value: { claims: listClaims(stock, now), leaks },
  };
}

/**
 * What was made for something is listed before what it was made for: a thing that comes while we read is then not taken
 * for one that has lost its owner.
 */
async function takeStock(cluster: Cluster, namespace: string | undefined): Promise<Stock> {
  const within = { namespace };
  const selector =
    namespace === undefined ? labels.spaceRequestNamespace : `${labels.spaceRequestNamespace}=${namespace}`;
  const provisioned = await listAll(cluster, namespaces, { labelSelector: selector });
  const requests = await listAll(cluster, spaceRequests, within);
  const foundTargets = await listAll(cluster, targets, within);
  const foundClaims = await listAll(cluster, claims, within);
  const namedBy = new Map<string, string[]>();
  for await (const page of cluster.list(environments, within)) {
    for (const { metadata, spec } of page) {
      const name = spec.configuration?.target?.deploymentTargetClaim?.claimName;
      if (name === undefined || name === '') continue;
      const key = keyOf({ namespace: metadata.namespace, name });
      namedBy.set(key, [...(namedBy.get(key) ?? []), metadata.name]);
    }
  }
  return { provisioned, requests, targets: foundTargets, claims: foundClaims, namedBy };
}

function listClaims({ claims: found, targets: foundTargets, namedBy }: Stock, now: number): ListedClaim[] {
  // A target may be kept for a claim that does not name it yet.
  const kept = new Map(
    foundTargets.flatMap(({ metadata, spec }) =>
      spec.claimRef === undefined
        ? []
        : [[keyOf({ namespace: metadata.namespace, name: spec.claimRef.name }), metadata.name] as const],
    ),
  );
  return found.map((object) => {
    const claim = claimOf(object);
    const bound = claim.said.find(({ type }) => type === 'Bound');
    const end = endOfLife(claim);
    return {
      namespace: claim.namespace,
      name: claim.name,
      phase: claim.phase,
      class: claim.className,
      target: claim.targetName || (kept.get(keyOf(claim)) ?? ''),
      ...(claim.owner !== undefined && { owner: claim.owner }),
      ageSeconds: Math.max(0, Math.round((now - claim.created) / 1_000)),
      ...(end !== undefined && { secondsLeft: Math.round((end - now) / 1_000) }),
      isDeleting: claim.isDeleting,
      ...(bound?.status === 'False' && { waitsFor: { reason: bound.reason, message: bound.message } }),
      environments: namedBy.get(keyOf(claim)) ?? [],
    };
  });
}

function isEmpty({ claims: found, targets: foundTargets, requests, provisioned, namedBy }: Stock): boolean {
  return [found, foundTargets, requests, provisioned].every(({ length }) => length === 0) && namedBy.size === 0;
}

async function exists(cluster: Cluster, name: string): Promise<boolean> {
  return (await cluster.read(namespaces, { namespace: '', name })) !== undefined;
}
