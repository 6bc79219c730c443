import type { Condition } from '../core/condition.ts';
import type { Effect } from '../core/step.ts';
import type { Subject } from '../core/subject.ts';
import type { Choice } from './kubeconfig-choice.ts';
import type { Engine } from './placement.ts';

/** What the user asked for. */
export interface EnvironmentSpec {
  readonly apiURL: string;
  readonly credentialsSecret: string;
  readonly allowInsecureSkipTLSVerify: boolean;
  readonly createNewServiceAccount: boolean;
  readonly namespaces: readonly string[];
  readonly clusterResources: boolean;
}

/** A GitOpsDeploymentManagedEnvironment that is there to stay. */
export interface Environment {
  readonly uid: string;
  readonly spec: EnvironmentSpec;
  /** What its condition says now, and since when. */
  readonly said: (Condition & { readonly since: number }) | undefined;
}

/** How to reach a tenant's cluster, and as whom. */
export interface TargetAccess {
  readonly server: string;
  readonly token: string;
  /** PEM. */
  readonly certificateAuthority?: string | undefined;
  readonly insecure: boolean;
}

/** What a row of credentials holds. */
export interface EnvironmentCredentials extends TargetAccess {
  /** Sorted and joined with commas; empty means all. */
  readonly namespaces: string;
  readonly clusterResources: boolean;
}

/** The rows behind one environment. The id is the UID of the object that they were made for. */
export interface StoredEnvironment {
  readonly id: string;
  /** Undefined: there is a mapping, but no environment. */
  readonly credentials: (EnvironmentCredentials & { readonly id: string }) | undefined;
  readonly hasMapping: boolean;
  readonly hasProject: boolean;
  /** The Argo CDs that may use it. */
  readonly instances: readonly string[];
  readonly applications: readonly { readonly id: string; readonly deployment: Subject | undefined }[];
}

/** A service account that was made on a tenant's cluster, as its row says. */
export interface TargetAccount extends TargetAccess {
  /** The UID of the environment; for one that was left behind on another cluster with `@` and something more. */
  readonly id: string;
  readonly unwantedSince: number | undefined;
  /** Its environment is gone, and Argo CD still removes what was deployed there. */
  readonly needed: boolean;
  /** Only known of those that are unwanted. */
  readonly presence?: 'present' | 'gone' | 'unreachable' | undefined;
}

/** What came of connecting to a tenant's cluster. `refused` is everything that got an answer and was not let in. */
export type Connection = 'works' | 'unreachable' | 'unknown-authority' | 'forbidden' | 'refused';

/** What stands on the cluster of the service account, its role and its token. */
export interface Installation {
  readonly state: Connection;
  readonly isComplete: boolean;
  readonly token: string | undefined;
}

export interface Probes {
  /** Of the credentials that the rows hold. */
  readonly stored?: Connection | undefined;
  /** Of the credentials that would be written. */
  readonly fresh?: Connection | undefined;
  readonly installation?: Installation | undefined;
}

export interface SeenEnvironment {
  readonly namespace: string;
  readonly name: string;
  /** Undefined: it is gone, or going. */
  readonly environment: Environment | undefined;
  /** What its Secret says. Only there where the environment is. */
  readonly choice: Choice | undefined;
  readonly engine: Engine | undefined;
  readonly stored: readonly StoredEnvironment[];
  readonly accounts: readonly TargetAccount[];
  /** GitOpsDeployments of the namespace that wait for this environment. */
  readonly waiting: readonly Subject[];
  readonly probes: Probes;
}

/** The things that are done, for the ledger: no token may stand in one of them. */
export type EnvironmentEffect =
  /** New credentials, and every row that is missing. */
  | (Effect & { readonly do: 'write-environment'; readonly id: string; readonly server: string })
  /** The rows around the credentials, where some are missing. */
  | (Effect & { readonly do: 'complete-environment'; readonly id: string })
  | (Effect & { readonly do: 'remove-environment'; readonly id: string; readonly applications: number })
  /** Before anything is made on the cluster: what is written down can be taken away again. */
  | (Effect & { readonly do: 'record-service-account'; readonly id: string; readonly server: string })
  | (Effect & {
      readonly do: 'install-service-account';
      readonly id: string;
      readonly server: string;
      readonly at: number;
    })
  /** The condition says something else than before. */
  | (Effect & { readonly do: 'tell-user'; readonly reason: string; readonly at: number })
  /** It is to go, from now on. */
  | (Effect & { readonly do: 'discard-service-account'; readonly id: string })
  | (Effect & { readonly do: 'remove-service-account'; readonly id: string; readonly server: string })
  | (Effect & {
      readonly do: 'forget-service-account';
      readonly id: string;
      readonly why: 'gone' | 'unreachable' | 'in-use';
    });

/** The names of what is made on the cluster; clients of the original service know them. */
export function accountNames(accountId: string) {
  const [uid = ''] = accountId.split('@');
  const account = `argocd-manager-${uid}`;
  return {
    namespace: accountNamespace,
    account,
    role: `argocd-manager-cluster-role-${uid}`,
    binding: `argocd-manager-cluster-role-binding-${uid}`,
    token: `${account}-token`,
  };
}

export type AccountNames = ReturnType<typeof accountNames>;

const accountNamespace = 'kube-system';
