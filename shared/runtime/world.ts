import type { ApiResources } from '../ports/api-resources.ts';
import type { ClaimRows } from '../ports/claim-rows.ts';
import type { Clusters } from '../ports/cluster.ts';
import type { CredentialRows } from '../ports/credential-rows.ts';
import type { DeploymentRows } from '../ports/deployment-rows.ts';
import type { DriftPasses } from '../ports/drift-passes.ts';
import type { DriftRows } from '../ports/drift-rows.ts';
import type { EngineCheck } from '../ports/engine-check.ts';
import type { EngineClusters } from '../ports/engine-clusters.ts';
import type { EnvironmentRows } from '../ports/environment-rows.ts';
import type { EnvironmentUses } from '../ports/environment-uses.ts';
import type { GarbageRows } from '../ports/garbage-rows.ts';
import type { GitOpsRepositories } from '../ports/gitops-repositories.ts';
import type { OperationRows } from '../ports/operation-rows.ts';
import type { OverlayRows } from '../ports/overlay-rows.ts';
import type { PlaceRows } from '../ports/place-rows.ts';
import type { PromotionReader } from '../ports/promotion-reader.ts';
import type { PromotionRows } from '../ports/promotion-rows.ts';
import type { Provisioners } from '../ports/provisioner.ts';
import type { ReportRows } from '../ports/report-rows.ts';
import type { RepositoryHost } from '../ports/repository-host.ts';
import type { RepositoryProbe } from '../ports/repository-probe.ts';
import type { SpaceSettings } from '../ports/space-settings.ts';
import type { SyncRows } from '../ports/sync-rows.ts';
import type { TargetClusters } from '../ports/target-cluster.ts';
import type { Tenants } from '../ports/tenants.ts';

/** What functions may ask of the world, by the ports that promise it. Opened once per process by shared/runtime/open-world.ts. */
export interface World {
  readonly clusters: Clusters;
  readonly tenants: Tenants;
  readonly deployments: DeploymentRows;
  readonly engineClusters: EngineClusters;
  readonly engineCheck: EngineCheck;
  readonly operations: OperationRows;
  /** What Argo CD said. */
  readonly reports: ReportRows;
  readonly syncs: SyncRows;
  readonly environments: EnvironmentRows;
  /** The clusters that tenants name. */
  readonly targets: TargetClusters;
  /** What opens repositories, and whether it does. */
  readonly credentials: CredentialRows;
  readonly repositories: RepositoryProbe;
  /** Where Applications are kept, and the service's own place for that. */
  readonly places: PlaceRows;
  readonly repositoryHost: RepositoryHost;
  /** What Bindings want to stand in repositories, and who writes it there. */
  readonly overlays: OverlayRows;
  readonly gitOpsRepositories: GitOpsRepositories;
  /** The ways of snapshots. */
  readonly promotions: PromotionRows;
  /** The same, for people. */
  readonly promotionReader: PromotionReader;
  /** Who could have which target, and which Environment looks at what. */
  readonly claimRows: ClaimRows;
  readonly environmentUses: EnvironmentUses;
  /** Who makes targets. */
  readonly provisioners: Provisioners;
  /** How SpaceRequests are fulfilled where no toolchain operator does it. */
  readonly spaces: SpaceSettings;
  /** What a drift pass reads, and what it remembers. */
  readonly driftRows: DriftRows;
  readonly driftPasses: DriftPasses;
  /** What nobody points to any more. */
  readonly garbage: GarbageRows;
  /** Whatever kinds of objects the tenants' cluster has. */
  readonly apiResources: ApiResources;
  readonly upkeep: UpkeepSettings;
  /** The namespaces of the tenants' own cluster that hold an Argo CD. */
  readonly argoCdNamespaces: readonly string[];
}

export interface UpkeepSettings {
  /** 0: a drift pass begins only when an operator asks for one. */
  readonly driftIntervalMinutes: number;
  /** How the names of namespaces end in which what is left of deployments is deleted. Empty: nothing is. */
  readonly orphanNamespaceSuffix: string;
}
