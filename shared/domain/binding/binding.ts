import type { Said } from '../core/condition.ts';
import type { Resources } from '../core/quantity.ts';
import type { Effect } from '../core/step.ts';
import type { Choice } from '../environment/choose-place.ts';
import type { StoredOverlay } from './stored-overlay.ts';

export interface EnvVar {
  readonly name: string;
  readonly value: string;
}

/** Values that may be set at several places. What is absent is left to the next one. */
export interface Values {
  readonly replicas?: number | undefined;
  readonly resources?: Resources | undefined;
  readonly env: readonly EnvVar[];
}

/** Where the resources of a component stand, as the status of a Binding tells it. */
export interface ComponentPlace {
  readonly url: string;
  readonly branch: string;
  readonly path: string;
  readonly generatedResources: readonly string[];
  readonly commitID: string;
}

export interface ComponentStatus {
  readonly name: string;
  readonly generatedRouteName: string;
  readonly gitOpsRepository: ComponentPlace | undefined;
  readonly conditions: readonly Said[];
}

export interface DeploymentStatus {
  readonly componentName: string;
  readonly gitopsDeployment: string;
  readonly syncStatus: string;
  readonly health: string;
  readonly commitID: string;
}

export interface BindingStatus {
  readonly components: readonly ComponentStatus[];
  readonly gitopsRepoConditions: readonly Said[];
  readonly gitopsDeployments: readonly DeploymentStatus[];
  readonly bindingConditions: readonly Said[];
  readonly componentDeploymentConditions: readonly Said[];
}

/** A SnapshotEnvironmentBinding, as far as its rule looks at it. */
export interface Binding {
  readonly uid: string;
  readonly version: string;
  readonly generation: number;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly isDeleting: boolean;
  readonly labels: Readonly<Record<string, string>>;
  readonly application: string;
  readonly environment: string;
  readonly snapshot: string;
  /** The promotion that wrote the snapshot into it; empty where a person did. */
  readonly promotion: string;
  readonly promotionUid: string;
  readonly components: readonly { readonly name: string; readonly configuration: Values | undefined }[];
  readonly status: BindingStatus;
}

export interface BoundApplication {
  readonly uid: string;
  /** Somebody else writes to Git, and says in the status of the Binding where. */
  readonly isRenderedByOthers: boolean;
  readonly configuration: Values | undefined;
  /** Why it has no place in a repository, as it says itself. */
  readonly problem: string | undefined;
}

export interface BoundEnvironment {
  /** What is new comes here by itself. */
  readonly isAutomated: boolean;
  readonly env: readonly EnvVar[];
  readonly clusterType: 'Kubernetes' | 'OpenShift' | undefined;
  readonly exposeWith: 'Route' | 'Ingress' | 'HTTPRoute' | undefined;
  readonly ingressDomain: string;
  readonly gateway: { readonly namespace: string; readonly name: string } | undefined;
  readonly targetNamespace: string;
}

export interface BoundComponent extends Values {
  readonly name: string;
  readonly componentName: string;
  readonly application: string;
  readonly isSkipped: boolean;
  readonly port: number;
  readonly route: string;
  /** The Secret with which its image is fetched; empty: none. */
  readonly pullSecret: string;
  readonly kustomizeBase: string;
  /** Variables whose values stand elsewhere, which is not supported. */
  readonly unsupportedEnv: readonly string[];
}

export interface BoundSnapshot {
  readonly application: string;
  readonly components: readonly { readonly name: string; readonly image: string }[];
}

/** Where an Application is kept. */
export interface RepositoryPlace {
  readonly repositoryId: string;
  readonly url: string;
  readonly branch: string;
  readonly context: string;
}

/** A GitOpsDeployment that a Binding of this name made. */
export interface OwnedDeployment {
  readonly name: string;
  readonly uid: string;
  readonly version: string;
  readonly component: string;
  /** The UID of the Binding that controls it. */
  readonly owner: string | undefined;
  readonly isDeleting: boolean;
  readonly labels: Readonly<Record<string, string>>;
  readonly commit: string;
  readonly spec: DeploymentShape;
  readonly syncStatus: string;
  readonly health: string;
  readonly revision: string;
}

/** The spec of a GitOpsDeployment. A Binding decides all of it, but that somebody else may make the type manual. */
export interface DeploymentShape {
  readonly source: { readonly repoURL: string; readonly path: string; readonly targetRevision: string };
  readonly destination: { readonly environment: string; readonly namespace: string };
  readonly type: string;
  readonly syncOptions: readonly string[];
}

export interface SeenBinding {
  readonly namespace: string;
  readonly name: string;
  /** Undefined: it is gone. */
  readonly binding: Binding | undefined;
  readonly stored: readonly StoredOverlay[];
  readonly application: BoundApplication | undefined;
  readonly environment: BoundEnvironment | undefined;
  /** Where the Environment deploys to. Undefined: there is none. */
  readonly choice: Choice | undefined;
  readonly snapshot: BoundSnapshot | undefined;
  /** All Components of the namespace that the Binding may be about. */
  readonly components: readonly BoundComponent[];
  /** Undefined: the Application has no place yet. */
  readonly place: RepositoryPlace | undefined;
  /** The Binding of the same pair that goes before this one. */
  readonly rival: string | undefined;
  /** Bindings of the same pair that this one goes before. */
  readonly followers: readonly string[];
  readonly deployments: readonly OwnedDeployment[];
  /** Only asked for where something would be made. */
  readonly isNamespaceGoing: boolean;
  readonly digest: (text: string) => string;
}

export type BindingEffect = Effect &
  (
    | { readonly do: 'label-binding' }
    | { readonly do: 'delete-binding'; readonly uid: string; readonly why: string }
    | { readonly do: 'want-overlay'; readonly snapshot: string; readonly digest: string; readonly components: number }
    | { readonly do: 'leave-overlay' | 'forget-overlay'; readonly uid: string }
    | {
        readonly do: 'create-deployment' | 'update-deployment' | 'remove-deployment';
        readonly name: string;
        readonly component: string;
      }
    | { readonly do: 'tell-user'; readonly at: number }
  );
