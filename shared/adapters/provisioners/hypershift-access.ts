import { parse, stringify } from 'yaml';
import { AdminKubeconfig } from '../../contracts/hypershift/admin-kubeconfig.ts';
import type { HostedCluster } from '../../contracts/hypershift/hosted-cluster.ts';
import type { Secret } from '../../contracts/kubernetes/core-objects.ts';
import { secrets } from '../../contracts/kubernetes/kinds.ts';
import { annotations, labels } from '../../contracts/kubernetes/metadata-keys.ts';
import { fitsLabel } from '../../domain/core/object-name.ts';
import { accountNames } from '../../domain/gitops/managed-environment.ts';
import { adminSecretName, hostedDefaultNamespace, hostedSecretName } from '../../domain/target/hosted-cluster.ts';
import type { SeenHostedCluster } from '../../domain/target/judge-hosted-cluster.ts';

import type { Cluster, ClusterAccess } from '../../ports/cluster.ts';
import type { TargetClusters } from '../../ports/target-cluster.ts';
import type { HostedPlace, Named } from './hypershift-objects.ts';

/** How the administrator reaches a hosted cluster; undefined until HyperShift has said it in a form that we know. */
export async function readAdminAccess(
  { cluster, namespace }: HostedPlace,
  { metadata, status }: HostedCluster,
  signal: AbortSignal,
): Promise<ClusterAccess | undefined> {
  const name = status?.kubeconfig || adminSecretName(metadata.name);
  const secret = await cluster.read(secrets, { namespace, name }, { signal });
  const encoded = secret?.data['kubeconfig'];
  if (encoded === undefined) return undefined;
  try {
    const document: unknown = parse(Buffer.from(encoded, 'base64').toString('utf8'), {
      maxAliasCount: 0,
      schema: 'core',
      logLevel: 'error',
    });
    return AdminKubeconfig.safeParse(document).data;
  } catch {
    // The parser quotes what it stumbled over, and that may be a key: nothing of it is passed on.
    return undefined;
  }
}

/** The account that Argo CD will use, made by the administrator. Undefined: there is no token yet. */
export async function makeAccount(
  targets: TargetClusters,
  access: ClusterAccess,
  claimUid: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const names = accountNames(claimUid);
  const found = await targets.inspect(access, names, signal);
  if (found.state !== 'works') return undefined;
  if (found.isComplete && found.token !== undefined) return found.token;
  // What goes wrong is seen by the next look: it says whether the cluster answers.
  const problem = await targets.install(access, names, signal);
  if (problem !== undefined) return undefined;
  const made = await targets.inspect(access, names, signal);
  return made.isComplete ? made.token : undefined;
}

/**
 * What the tenant's Secret is worth, and where it leads. `unasked`: nobody has looked at the administrator's kubeconfig,
 * which it should agree with, so it is taken at its word.
 */
export function judgeSecret(
  targets: TargetClusters,
  secret: Secret | undefined,
  access: ClusterAccess | undefined | 'unasked',
  claimUid: string,
): Pick<SeenHostedCluster, 'secret' | 'server'> {
  const server = access === 'unasked' ? undefined : access?.server;
  if (secret === undefined) return { secret: 'missing', server };
  if (!isOurs(secret, claimUid)) return { secret: 'foreign', server };
  const kubeconfig = targets.readKubeconfig(Buffer.from(secret.data['kubeconfig'] ?? '', 'base64'));
  if (kubeconfig === 'unreadable' || access === undefined) return { secret: 'stale', server };
  const [cluster] = kubeconfig.clusters;
  const [user] = kubeconfig.users;
  if (cluster === undefined || user?.token === undefined) return { secret: 'stale', server };
  const isRight =
    access === 'unasked' ||
    (cluster.server === access.server && cluster.certificateAuthority === access.certificateAuthority);
  return { secret: isRight ? 'complete' : 'stale', server: server ?? cluster.server };
}

export function isOurs({ metadata, type }: Secret, claimUid: string): boolean {
  return type === 'Opaque' && metadata.annotations[annotations.claimUid.key] === claimUid;
}

interface TenantSecret {
  readonly namespace: string;
  readonly claimName: string;
  readonly hosted: Pick<Named, 'name' | 'claimUid'>;
  readonly access: ClusterAccess;
  readonly token: string;
}

/** It belongs to nobody until there is a target: with the policy Retain it outlives its claim. */
export async function writeSecret(
  local: Cluster,
  found: Secret | undefined,
  { namespace, claimName, hosted, access, token }: TenantSecret,
  signal: AbortSignal,
): Promise<void> {
  const name = hostedSecretName(hosted.name);
  const data = { kubeconfig: Buffer.from(kubeconfigFor(hosted.name, access, token)).toString('base64') };
  if (found !== undefined) {
    const { resourceVersion } = found.metadata;
    await local.patch(secrets, { namespace, name }, { metadata: { resourceVersion }, data }, { signal });
    return;
  }
  const metadata = {
    name,
    namespace,
    ...(fitsLabel(claimName) && { labels: { [labels.claim]: claimName } }),
    annotations: { [annotations.claimUid.key]: hosted.claimUid },
  };
  await local.create(secrets, { metadata, type: 'Opaque', data }, { signal });
}

function kubeconfigFor(name: string, { server, certificateAuthority }: ClusterAccess, token: string): string {
  const authority =
    certificateAuthority === undefined
      ? {}
      : { 'certificate-authority-data': Buffer.from(certificateAuthority).toString('base64') };
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    contexts: [{ name, context: { cluster: name, user: 'argocd-manager', namespace: hostedDefaultNamespace } }],
    clusters: [{ name, cluster: { server, ...authority } }],
    users: [{ name: 'argocd-manager', user: { token } }],
  });
}
