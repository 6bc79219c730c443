import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Sql } from 'postgres';
import { openGitOpsRepositories } from '../adapters/git/open-gitops-repositories.ts';
import { openRepositoryHost } from '../adapters/git/open-repository-host.ts';
import { openRepositoryProbe } from '../adapters/git/open-repository-probe.ts';
import { openApiResources } from '../adapters/kubernetes/api-resources.ts';
import { type ClusterConnection, connectCluster } from '../adapters/kubernetes/connection.ts';
import { openClusters } from '../adapters/kubernetes/open-clusters.ts';
import { openRecentObjects, type RecentObjects } from '../adapters/kubernetes/recent-objects.ts';
import { openTargetClusters } from '../adapters/kubernetes/target-cluster.ts';
import { type Cipher, lockedCipher, openCipher, parseKeyRing } from '../adapters/postgres/cipher.ts';
import { openClaimRows } from '../adapters/postgres/claims/claim-rows.ts';
import { openEnvironmentUses } from '../adapters/postgres/claims/environment-uses.ts';
import { openCredentialRows } from '../adapters/postgres/gitops/credential-rows.ts';
import { openDeploymentRows } from '../adapters/postgres/gitops/deployment-rows.ts';
import { openDriftPasses } from '../adapters/postgres/gitops/drift-passes.ts';
import { openDriftRows } from '../adapters/postgres/gitops/drift-rows.ts';
import { openEngineClusters } from '../adapters/postgres/gitops/engine-clusters.ts';
import { openEnvironmentRows } from '../adapters/postgres/gitops/environment-rows.ts';
import { openGarbageRows } from '../adapters/postgres/gitops/garbage-rows.ts';
import { openOperationRows } from '../adapters/postgres/gitops/operation-rows.ts';
import { openReportRows } from '../adapters/postgres/gitops/report-rows.ts';
import { openSyncRows } from '../adapters/postgres/gitops/sync-rows.ts';
import { openTenants } from '../adapters/postgres/gitops/tenants.ts';
import { openPromotionReader } from '../adapters/postgres/promotions/promotion-reader.ts';
import { openPromotionRows } from '../adapters/postgres/promotions/promotion-rows.ts';
import { openOverlayRows } from '../adapters/postgres/repositories/overlay-rows.ts';
import { openPlaceRows } from '../adapters/postgres/repositories/place-rows.ts';
import { openProvisioners } from '../adapters/provisioners/open-provisioners.ts';
import type { HostedSettings } from '../ports/hosted-settings.ts';
import type { SpaceSettings } from '../ports/space-settings.ts';
import { Transient } from '../ports/trouble.ts';
import { openEngineCheck } from './check-engine.ts';
import { type Config, readConfig } from './config.ts';
import type { UpkeepSettings, World } from './world.ts';

export interface WorldSettings {
  readonly sql: Sql;
  /** Opens and seals credentials at rest. */
  readonly cipher: Cipher;
  readonly connection:
    | (Pick<ClusterConnection, 'request'> & Partial<Pick<ClusterConnection, 'server' | 'certificateAuthority'>>)
    | undefined;
  readonly recent?: RecentObjects | undefined;
  readonly argoCdNamespaces: readonly string[];
  /** How long a cluster that a tenant named may take to answer. */
  readonly targetTimeoutMs: number;
  readonly now: () => number;
  readonly random?: (() => number) | undefined;
  readonly upkeep?: UpkeepSettings | undefined;
  readonly spaces?: SpaceSettings | undefined;
  /** True: targets made of SpaceRequests do not check the certificate of their cluster. */
  readonly isInsecure?: boolean | undefined;
  /** Undefined: no hosted clusters are made. */
  readonly hosted?: HostedSettings | undefined;
  /** Undefined: the service has no place of its own for repositories. */
  readonly git?: Config<'git'>['git'] | undefined;
}

/** Ports meet adapters here, for the functions; shared/runtime/services.ts does the same for the machine. */
export function openWorld(settings: WorldSettings): World & { close(): Promise<void> } {
  const { sql, connection, recent, targetTimeoutMs, now } = settings;
  const clusters = openClusters({ local: connection, recent, timeoutMs: targetTimeoutMs, now });
  const targets = openTargetClusters({ clusters, timeoutMs: targetTimeoutMs });
  const git = settings.git ?? readConfig(['git'], {}).git;
  const trusted = { knownHostsFile: git.GIT_KNOWN_HOSTS_FILE, plainHttpHosts: git.GIT_PLAIN_HTTP_HOSTS };
  const gitOpsRepositories = openGitOpsRepositories({
    ...trusted,
    folder: git.GIT_CACHE_FOLDER,
    maxMegabytes: git.GIT_CACHE_MEGABYTES,
    maxRepositoryMegabytes: git.GIT_REPOSITORY_MEGABYTES,
    author: { name: git.GIT_AUTHOR_NAME, email: git.GIT_AUTHOR_EMAIL },
    timeoutMs: git.GIT_TIMEOUT_SECONDS * 1_000,
    now,
    random: settings.random ?? Math.random,
  });
  return {
    clusters,
    tenants: openTenants(sql),
    engineCheck: openEngineCheck(now),
    operations: openOperationRows(sql, settings.cipher),
    deployments: openDeploymentRows(sql),
    environments: openEnvironmentRows(sql, settings.cipher),
    targets,
    engineClusters: openEngineClusters(sql, settings.cipher),
    reports: openReportRows(sql, settings.cipher),
    credentials: openCredentialRows(sql, settings.cipher),
    repositories: openRepositoryProbe({ ...trusted, timeoutMs: targetTimeoutMs }),
    places: openPlaceRows(sql),
    overlays: openOverlayRows(sql, settings.cipher),
    gitOpsRepositories,
    promotions: openPromotionRows(sql),
    promotionReader: openPromotionReader(sql),
    repositoryHost: openRepositoryHost({
      root: git.GIT_ROOT_URL,
      username: git.GIT_USERNAME,
      tokenFile: git.GIT_TOKEN_FILE,
      timeoutMs: git.GIT_TIMEOUT_SECONDS * 1_000,
    }),
    syncs: openSyncRows(sql),
    driftRows: openDriftRows(sql, settings.cipher),
    driftPasses: openDriftPasses(sql),
    garbage: openGarbageRows(sql),
    apiResources: openApiResources(connection),
    claimRows: openClaimRows(sql),
    environmentUses: openEnvironmentUses(sql),
    provisioners: openProvisioners({
      local: clusters.local,
      isInsecure: settings.isInsecure,
      hosted: settings.hosted === undefined ? undefined : { ...settings.hosted, targets, now },
    }),
    spaces: settings.spaces ?? spaceSettings(readConfig(['spaces'], {}).spaces, connection),
    upkeep: settings.upkeep ?? upkeepSettings(readConfig(['upkeep'], {}).upkeep),
    argoCdNamespaces: settings.argoCdNamespaces,
    async close() {
      gitOpsRepositories.close();
      await clusters.close();
    },
  };
}

/** The world that the settings name, and the parts of it that a host uses by itself. */
export function openConfiguredWorld(
  {
    cluster,
    engines,
    credentials,
    upkeep,
    spaces,
    hosted,
    git,
  }: Config<'cluster' | 'engines'> & Partial<Config<'credentials' | 'upkeep' | 'spaces' | 'hosted' | 'git'>>,
  sql: Sql,
  now: () => number,
): {
  world: World;
  connection: ClusterConnection | undefined;
  recent: RecentObjects;
  close(): Promise<void>;
} {
  const connection = openConnection(cluster, now);
  const recent = openRecentObjects();
  const world = openWorld({
    sql,
    cipher: credentials === undefined ? lockedCipher : openCredentialCipher(credentials),
    connection,
    recent,
    argoCdNamespaces: namesOf(engines.ARGO_CD_NAMESPACE),
    targetTimeoutMs: engines.TARGET_TIMEOUT_SECONDS * 1_000,
    upkeep: upkeep === undefined ? undefined : upkeepSettings(upkeep),
    spaces: spaces === undefined ? undefined : spaceSettings(spaces, connection),
    isInsecure: spaces?.DEV_ONLY_IGNORE_SELFSIGNED_CERT_IN_DEPLOYMENT_TARGET === 'true',
    hosted: hosted === undefined ? undefined : hostedSettings(hosted),
    git,
    now,
  });
  return {
    world,
    connection,
    recent,
    async close() {
      await world.close();
      await connection?.close();
    },
  };
}

function openConnection(cluster: Config<'cluster'>['cluster'], now: () => number): ClusterConnection | undefined {
  const inCluster = cluster.KUBECONFIG === undefined && cluster.KUBERNETES_SERVICE_HOST !== undefined;
  if (cluster.KUBECONFIG === undefined && !inCluster) return undefined;
  return connectCluster({
    kubeconfigPath: cluster.KUBECONFIG,
    context: cluster.KUBE_CONTEXT,
    inCluster,
    now,
  });
}

function upkeepSettings(upkeep: Config<'upkeep'>['upkeep']): UpkeepSettings {
  return {
    driftIntervalMinutes: upkeep.DRIFT_INTERVAL_MINUTES,
    orphanNamespaceSuffix: upkeep.ORPHAN_NAMESPACE_SUFFIX,
  };
}

function spaceSettings(
  { SPACE_REQUESTS, SPACE_TIERS, SPACE_API_URL, SPACE_API_CA_FILE }: Config<'spaces'>['spaces'],
  connection: WorldSettings['connection'],
): SpaceSettings {
  return {
    fulfils: SPACE_REQUESTS === 'stagecoach',
    tiers: namesOf(SPACE_TIERS),
    server: SPACE_API_URL ?? connection?.server ?? '',
    async certificateAuthority() {
      try {
        if (SPACE_API_CA_FILE !== undefined) return await readFile(SPACE_API_CA_FILE, 'utf8');
        return await connection?.certificateAuthority?.();
      } catch (cause) {
        throw new Transient('cluster', "The certificate authority of the tenants' cluster cannot be read", { cause });
      }
    },
  };
}

function hostedSettings(hosted: Config<'hosted'>['hosted']): HostedSettings | undefined {
  const { HOSTED_CLUSTERS_NAMESPACE: namespace, HOSTED_CLUSTERS_PULL_SECRET: pullSecret } = hosted;
  return namespace === undefined ? undefined : { namespace, pullSecret };
}

function namesOf(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** The cipher of credentials at rest, with the keys that the configuration names. */
export function openCredentialCipher({ CREDENTIAL_KEYS_FILE }: Config<'credentials'>['credentials']): Cipher {
  return openCipher(parseKeyRing(readFileSync(CREDENTIAL_KEYS_FILE, 'utf8')));
}
