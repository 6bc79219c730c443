import type { Environment } from '../../../shared/contracts/kubernetes/environment.ts';
import { environments } from '../../../shared/contracts/kubernetes/kinds.ts';
import { promotionOrder } from '../../../shared/domain/environment/promotion-order.ts';
import { isOurs } from '../../../shared/domain/promotion/is-ours.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { Cluster } from '../../../shared/ports/cluster.ts';

/** An Environment as people see it. */
export interface ShownEnvironment {
  readonly name: string;
  readonly label: string;
  /** Empty: promotion starts here. */
  readonly parent: string;
  readonly isAutomated: boolean;
  /** Who promotes here, where it is not us. */
  readonly controller: string;
  /** Where it deploys to, in words. */
  readonly target: string;
  readonly stepDeadline: string;
  /** How many come before it. Undefined: no promotion ever gets here. */
  readonly depth: number | undefined;
  readonly isParentMissing: boolean;
  readonly isLeaving: boolean;
}

export interface EnvironmentList {
  /** In the order of promotion, by namespace. */
  readonly byNamespace: ReadonlyMap<string, readonly ShownEnvironment[]>;
  /** False: the cluster did not say, so this is what it said before, or nothing. */
  readonly isKnown: boolean;
}

/** All who look share one list of this age. */
const longestMs = 5_000;
const limitMs = 5_000;

interface Log {
  warn(message: string, fields: { readonly fn: string; readonly error: string }): void;
}

/** The Environments of all namespaces, asked for only while somebody looks. */
export function openEnvironmentList(cluster: Cluster, clock: Clock, log: Log): () => Promise<EnvironmentList> {
  let kept: { readonly at: number; readonly list: Promise<EnvironmentList> } | undefined;
  let last: EnvironmentList['byNamespace'] = new Map();

  async function ask(): Promise<EnvironmentList> {
    try {
      const found = new Map<string, Environment[]>();
      for await (const page of cluster.list(environments, { signal: AbortSignal.timeout(limitMs) }))
        for (const one of page) {
          const { namespace } = one.metadata;
          if (found.get(namespace)?.push(one) === undefined) found.set(namespace, [one]);
        }
      last = new Map([...found].map(([namespace, list]) => [namespace, inOrder(list)]));
      return { byNamespace: last, isKnown: true };
    } catch (error) {
      // The page has more to show than this.
      log.warn('environments cannot be listed', { fn: 'serve-console', error: String(error) });
      return { byNamespace: last, isKnown: false };
    }
  }

  return () => {
    if (kept === undefined || clock.elapsed() - kept.at >= longestMs) kept = { at: clock.elapsed(), list: ask() };
    return kept.list;
  };
}

/** Each before those that follow it, and these before the next of its kind: a chain stands in one piece. */
function inOrder(list: readonly Environment[]): ShownEnvironment[] {
  const order = promotionOrder(
    list.map(({ metadata, spec }) => ({ name: metadata.name, parent: spec.parentEnvironment })),
  );
  const places: string[] = [];
  const ahead = order.roots.toReversed();
  for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
    places.push(name);
    ahead.push(...order.childrenOf(name).toReversed());
  }
  const rankOf = new Map(places.map((name, at) => [name, at]));
  return list
    .map(({ metadata, spec }) => ({
      name: metadata.name,
      label: spec.displayName,
      parent: spec.parentEnvironment,
      isAutomated: spec.deploymentStrategy === 'AppStudioAutomated',
      controller: isOurs(spec.deploymentController) ? '' : spec.deploymentController,
      target: targetOf(spec),
      stepDeadline: spec.promotion.stepDeadline,
      depth: order.depthOf(metadata.name),
      isParentMissing: order.isParentMissing(metadata.name),
      isLeaving: metadata.deletionTimestamp !== undefined,
    }))
    .toSorted(
      (one, other) =>
        (rankOf.get(one.name) ?? list.length) - (rankOf.get(other.name) ?? list.length) || byName(one, other),
    );
}

function targetOf({ configuration, unstableConfigurationFields }: Environment['spec']): string {
  const claim = configuration?.target?.deploymentTargetClaim?.claimName;
  if (claim) return `claim ${claim}`;
  const { apiURL = '', targetNamespace = '' } = unstableConfigurationFields?.kubernetesCredentials ?? {};
  // Only the host: a URL may carry more than people should see.
  const host = URL.parse(apiURL)?.host ?? '';
  const place = [host, targetNamespace].filter((word) => word !== '').join(' · ');
  return place === '' ? 'its own namespace' : place;
}

export function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : one.name > other.name ? 1 : 0;
}
