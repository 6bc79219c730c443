import type { Claim } from '../claim/claim.ts';
import type { Condition, Said } from '../core/condition.ts';
import type { Effect } from '../core/step.ts';
import type { Target } from '../target/target.ts';

/** An Environment among the others of its namespace. */
export interface Sibling {
  readonly name: string;
  /** Empty: promotion starts here. */
  readonly parent: string;
  readonly isDeleting: boolean;
  /** It carries the finalizer of a parent. */
  readonly isHeld: boolean;
  readonly said: readonly Said[];
}

/** A place that applications are deployed to, as a rule sees it. */
export interface Environment extends Sibling {
  readonly uid: string;
  readonly version: string;
  /** The claim that it names. */
  readonly claimName: string | undefined;
  /** How to reach its cluster, where the user wrote that down instead of naming a claim. */
  readonly credentials: Place | undefined;
  /** How long its target may take, as the user wrote it, "1h". */
  readonly targetDeadline: string;
}

/** Where to deploy to. The Secret is only named here. */
export interface Place {
  readonly apiURL: string;
  readonly secretName: string;
  readonly allowInsecureSkipTLSVerify: boolean;
  readonly namespaces: readonly string[];
  readonly clusterResources: boolean;
}

/** The spec of a GitOpsDeploymentManagedEnvironment. */
export interface ManagedSpec {
  readonly apiURL: string;
  readonly credentialsSecret: string;
  readonly allowInsecureSkipTLSVerify: boolean;
  readonly createNewServiceAccount: boolean;
  readonly namespaces: readonly string[];
  readonly clusterResources: boolean;
}

/** An object that goes by a name that an Environment gives to its own. */
export interface Owned {
  readonly uid: string;
  readonly version: string;
  readonly isDeleting: boolean;
  /** This Environment, one of the same name that is gone, or nobody that we know. */
  readonly owner: 'this' | 'predecessor' | 'stranger';
  /** Kubernetes understands who owns it, and takes it away with the Environment. */
  readonly isOwnedWell: boolean;
}

export interface SeenManaged extends Owned {
  readonly spec: ManagedSpec;
  /** What it says of the connection to its cluster. */
  readonly connection: Condition | undefined;
}

export interface SeenCopy extends Owned {
  readonly isOfRightType: boolean;
  /** It holds the same as the Secret that it was copied from, and says whose it is. */
  readonly isSame: boolean;
}

/** The Secret that opens the place, without what is in it. */
export interface SeenSecret {
  readonly name: string;
  /** Argo CD's side takes it as it is: no copy is needed. */
  readonly isOfRightType: boolean;
}

export interface SeenEnvironment {
  readonly namespace: string;
  readonly name: string;
  /** Undefined: it is gone. */
  readonly environment: Environment | undefined;
  readonly isNamespaceGoing: boolean;
  /** All Environments of the namespace. */
  readonly siblings: readonly Sibling[];
  readonly claim: Claim | undefined;
  /** The target that the claim says it has. */
  readonly target: Target | undefined;
  readonly secret: SeenSecret | undefined;
  readonly managed: SeenManaged | undefined;
  readonly copy: SeenCopy | undefined;
}

/** What is in a Secret, and the address of a cluster, are not told here: whoever does it takes them from what was seen. */
export type EnvironmentEffect = Effect &
  (
    | { readonly do: 'hold-environment' | 'let-environment-go' }
    | {
        readonly do: 'create-managed-environment' | 'update-managed-environment' | 'remove-managed-environment';
        readonly name: string;
      }
    | {
        readonly do: 'copy-secret' | 'update-copied-secret';
        readonly name: string;
        readonly from: string;
      }
    | { readonly do: 'remove-copied-secret'; readonly name: string }
    | { readonly do: 'tell-user'; readonly at: number }
  );

export function managedEnvironmentName(environment: string): string {
  return `managed-environment-${environment}`;
}

export function copiedSecretName(environment: string): string {
  return `managed-environment-secret-${environment}`;
}
