import type { Resources } from '../core/quantity.ts';
import type { Connection } from '../gitops/managed-environment.ts';
import { hostedDefaultNamespace, hostedSecretName } from './hosted-cluster.ts';
import type { Provision } from './provision.ts';

/** What HyperShift says of one of its objects. */
interface Said {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
}

interface SeenPart {
  /** It was made for the claim that is asked about. */
  readonly isOurs: boolean;
  /** Milliseconds since the epoch; undefined: it is not being deleted. */
  readonly deletingSince: number | undefined;
  readonly conditions: readonly Said[];
}

export interface SeenHostedCluster {
  readonly name: string;
  readonly cluster: SeenPart | undefined;
  readonly pool: (SeenPart & { readonly nodes: number }) | undefined;
  /** The server of the administrator's kubeconfig, once HyperShift has written one that can be used. */
  readonly server: string | undefined;
  /** Whether the hosted cluster answers the administrator. Asked only where the tenant has no working Secret yet. */
  readonly connection: Connection | undefined;
  /** The Secret of the tenant. `foreign`: somebody else's of the same name; `stale`: not, or not any more, what it should be. */
  readonly secret: 'missing' | 'foreign' | 'stale' | 'complete';
  /** What the claim asked for when the cluster was made. */
  readonly resources: Resources | undefined;
  /** The target that was made of it. */
  readonly target: string | undefined;
}

/** With one of these False, somebody has to change something. */
const demandsOfClusters = [
  'ValidConfiguration',
  'SupportedHostedCluster',
  'ValidReleaseImage',
  'ValidHostedControlPlaneConfiguration',
  'PlatformCredentialsFound',
];
const demandsOfPools = ['ValidPlatformConfig', 'ValidPlatformImage', 'ValidReleaseImage', 'ValidArchPlatform'];
/** With one of these False, HyperShift cannot take a cluster away, or does not try. */
const needsOfDeletion = [
  'ReconciliationActive',
  'PlatformCredentialsFound',
  'ValidOIDCConfiguration',
  'ValidAWSIdentityProvider',
];
/** Clouds take minutes to give back what a cluster had. After so long somebody should look. */
const longDeletionMs = 3_600_000;

/**
 * What stands for a claim. HyperShift's own sentences are left out: they may name what belongs to the provider, and a
 * tenant reads this. Its one-word reasons are passed on; an administrator finds the rest on the object that is named.
 */
export function judgeHostedCluster(seen: SeenHostedCluster, now: number): Provision {
  const { name, cluster, pool, secret } = seen;
  if (cluster?.isOurs === false || pool?.isOurs === false)
    return refused(seen, 'HostedClusterTaken', `A hosted cluster "${name}" is there that was not made for this claim`);
  const since = cluster === undefined ? pool?.deletingSince : cluster.deletingSince;
  if (since !== undefined) return leaving(seen, since, now);
  if (cluster === undefined && pool === undefined && (secret === 'missing' || secret === 'foreign'))
    return { state: 'absent' };
  if (cluster === undefined || pool === undefined || pool.deletingSince !== undefined)
    return unfinished(seen, 'HostedClusterIncomplete', `Parts of the hosted cluster "${name}" are missing`);
  if (secret === 'foreign')
    return refused(
      seen,
      'SecretTaken',
      `The Secret "${hostedSecretName(name)}" is in the way, which was not made for this claim: delete it`,
    );
  return judgeStanding(seen, cluster, pool);
}

function judgeStanding(
  seen: SeenHostedCluster,
  cluster: SeenPart,
  pool: SeenPart & { readonly nodes: number },
): Provision {
  const { name, server, connection, secret, resources } = seen;
  const available = cluster.conditions.find(({ type }) => type === 'Available');
  const isAvailable = available?.status === 'True';
  const unmet = firstFalse(cluster, demandsOfClusters) ?? firstFalse(pool, demandsOfPools);
  // A cluster that works is not refused for what somebody wants to change about it.
  if (unmet !== undefined && (!isAvailable || pool.nodes < 1))
    return refused(
      seen,
      'HostedClusterRefused',
      `HyperShift does not make the hosted cluster "${name}": ${inWords(unmet)}. The administrators of its class have to look at it`,
    );
  if (!isAvailable)
    return waiting(
      seen,
      'HostedClusterProvisioning',
      `The hosted cluster "${name}" is being made${because(available)}`,
    );
  if (pool.nodes < 1) {
    const ready = pool.conditions.find(({ type }) => type === 'Ready');
    return waiting(seen, 'WaitingForNodes', `The hosted cluster "${name}" has no nodes yet${because(ready)}`);
  }
  if (server === undefined)
    return waiting(seen, 'WaitingForKubeconfig', `The hosted cluster "${name}" has no kubeconfig yet that can be used`);
  if (secret === 'complete')
    return {
      state: 'ready',
      ...standing(seen),
      access: {
        defaultNamespace: hostedDefaultNamespace,
        apiURL: server,
        clusterCredentialsSecret: hostedSecretName(name),
        allowInsecureSkipTLSVerify: false,
      },
      resources,
      isUnfinished: false,
    };
  if (connection !== undefined && connection !== 'works')
    return waiting(seen, 'HostedClusterUnreachable', `The hosted cluster "${name}" is made and ${answers[connection]}`);
  return unfinished(seen, 'CreatingCredentials', `Credentials for the hosted cluster "${name}" are being made`);
}

const answers: Readonly<Record<Exclude<Connection, 'works'>, string>> = {
  unreachable: 'does not answer yet',
  refused: 'does not accept its own credentials yet',
  forbidden: 'does not give its administrator any rights yet',
  'unknown-authority': 'shows a certificate of another authority',
};

function leaving(seen: SeenHostedCluster, since: number, now: number): Provision {
  const unmet = seen.cluster === undefined ? undefined : firstFalse(seen.cluster, needsOfDeletion);
  const isLate = now - since > longDeletionMs;
  const complaint =
    unmet !== undefined
      ? `The hosted cluster "${seen.name}" cannot be taken away: ${inWords(unmet)}`
      : isLate
        ? `The hosted cluster "${seen.name}" has been going for more than an hour`
        : '';
  return { state: 'leaving', ...standing(seen), since, isStuck: unmet !== undefined || isLate, complaint };
}

function firstFalse({ conditions }: SeenPart, types: readonly string[]): Said | undefined {
  return conditions.find(({ type, status }) => types.includes(type) && status === 'False');
}

function inWords({ type, reason }: Said): string {
  return isWord(reason) ? `${type} is False (${reason})` : `${type} is False`;
}

function because(said: Said | undefined): string {
  return said !== undefined && isWord(said.reason) ? ` (${said.reason})` : '';
}

function isWord(reason: string): boolean {
  return /^[A-Za-z]\w{0,99}$/.test(reason);
}

/** Nobody tells us of its changes: they are in the provider's namespace, which is nobody's that we watch. */
function standing({ name, target }: Pick<SeenHostedCluster, 'name' | 'target'>) {
  return { what: `HostedCluster ${name}`, target, wakesUs: false };
}

function refused(seen: SeenHostedCluster, reason: string, message: string): Provision {
  return { state: 'refused', ...standing(seen), reason, message };
}

function waiting(seen: SeenHostedCluster, reason: string, message: string): Provision {
  return { state: 'underway', ...standing(seen), reason, message, isUnfinished: false };
}

/** Something is left that we have to do. */
function unfinished(seen: SeenHostedCluster, reason: string, message: string): Provision {
  return { state: 'underway', ...standing(seen), reason, message, isUnfinished: true };
}
