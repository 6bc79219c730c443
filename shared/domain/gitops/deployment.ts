import type { Effect } from '../core/step.ts';
import type { Tenant } from './placement.ts';
import type { ProbedCondition } from './probed-conditions.ts';

/** What a user asks for, in the canonical spelling. */
export interface DeploymentSpec {
  readonly source: { readonly repoURL: string; readonly path: string; readonly targetRevision: string };
  /** No environment: the namespace of the object itself. */
  readonly destination: { readonly environment: string; readonly namespace: string };
  /** automated or manual; the API server lets anything in. */
  readonly type: string;
  readonly syncOptions: readonly string[];
  /** The commit that holds what should run, where whoever wrote the deployment knows it. */
  readonly commit?: string | undefined;
}

/** A GitOpsDeployment, as far as its rule looks at it. */
export interface Deployment {
  readonly uid: string;
  readonly deleting: boolean;
  readonly finalizers: readonly string[];
  readonly conditions: readonly ProbedCondition[];
  readonly spec: DeploymentSpec;
  /** A new value asks for a look at everything; at most 64 characters of it count. */
  readonly reconcileAt: string;
}

/** An application that was stored for a GitOpsDeployment of this namespace and name, of today or of before. */
export interface StoredApplication {
  /** The key of its row. */
  readonly id: string;
  /** The UID of the GitOpsDeployment that it was stored for. */
  readonly uid: string;
  readonly namespaceUid: string;
  /** The name of the Argo CD Application. */
  readonly name: string;
  /** The Argo CD Application's spec, as shared/domain/gitops/application-spec.ts writes it. */
  readonly spec: string;
  /** The Argo CD that has it. */
  readonly instanceId: string;
  /** Null: the environment that it was deployed to is gone. */
  readonly environmentId: string | null;
  /** Grows with every change; digits. */
  readonly revision: string;
  /** Null: nobody. That is a row that got lost. */
  readonly ownerId: string | null;
  /** The last value of the annotation that was acted upon. */
  readonly reconcileAt: string;
  /** The names of the GitOpsDeploymentSyncRuns that were made for it. */
  readonly syncRuns: readonly string[];
}

/** What is known of the GitOpsDeploymentManagedEnvironment that a deployment names. */
export type NamedEnvironment =
  /** `namespaces` empty: all of them. */
  | { readonly state: 'ready'; readonly id: string; readonly namespaces: readonly string[] }
  /** It is there, and nobody has looked at it yet. */
  | { readonly state: 'unseen' }
  | { readonly state: 'failed' }
  | { readonly state: 'missing' };

/** What the side of Argo CD made of the last change of the application. */
export interface ApplicationProgress {
  /** An operation is on its way or under way. */
  readonly pending: boolean;
  /** Why the last one failed, in words for the user; null where it did not. */
  readonly failure: string | null;
  /** Which Argo CD the last one was for, and on whose behalf; null where there is none. */
  readonly instanceId: string | null;
  readonly ownerId: string | null;
}

export interface ObservedDeployment {
  readonly namespace: string;
  readonly name: string;
  /** Undefined: it is gone. */
  readonly deployment: Deployment | undefined;
  readonly applications: readonly StoredApplication[];
  /** Undefined: its namespace is gone, or the deployment is and nobody needs to know. */
  readonly tenant: Tenant | undefined;
  /** The namespace is being deleted. Only asked for while the deployment has no application. */
  readonly namespaceEnding: boolean;
  /** An Argo CD lives in the namespace: who deploys there would rule over it. */
  readonly isEngineNamespace: boolean;
  /** Undefined: none is named. */
  readonly environment: NamedEnvironment | undefined;
  readonly progress: ApplicationProgress;
  /** The names of the GitOpsDeploymentSyncRuns that wait for this deployment. */
  readonly waitingSyncRuns: readonly string[];
  /** The UIDs of the deployments of this name, of today or of before, that are noted as faulty. */
  readonly troubled: readonly string[];
}

/** An application as it should be stored. */
export interface WantedApplication {
  readonly id: string;
  readonly name: string;
  readonly spec: string;
  readonly instanceId: string;
  readonly environmentId: string | null;
  readonly reconcileAt: string;
}

export type DeploymentEffect = Effect &
  (
    | ({ readonly do: 'create-application' | 'update-application' } & WantedApplication)
    | { readonly do: 'restore-owner'; readonly id: string }
    | { readonly do: 'retry-application'; readonly id: string; readonly instanceId: string }
    /** Whatever anybody remembers of it: compare everything, because the user asks for it. `beside` is where its Argo CD is. */
    | {
        readonly do: 'repair-application';
        readonly id: string;
        readonly instanceId: string;
        readonly asked: string;
        readonly beside: string | undefined;
      }
    | { readonly do: 'delete-application'; readonly id: string; readonly instanceId: string }
    /** The condition and the note that it is faulty. `at` is the moment of the condition, in ISO 8601. */
    | { readonly do: 'say-error'; readonly message: string; readonly at: string }
    | { readonly do: 'resolve-error'; readonly at: string }
    /** The note about a deployment that is no more. */
    | { readonly do: 'forget-trouble'; readonly id: string }
    | { readonly do: 'remove-finalizer' }
  );

/** Set by users who want a deletion to wait until everything is gone. */
export const deploymentFinalizer = 'resources-finalizer.managed-gitops.redhat.com';

/** What run-sync writes as the thing that a sync is blocked on while its deployment is missing. */
export function waitsForDeployment(name: string): string {
  return `GitOpsDeployment ${name}`;
}
