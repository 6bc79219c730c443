import type { ApplicationProgress, StoredApplication, WantedApplication } from '../domain/gitops/deployment.ts';
import type { Engine } from '../domain/gitops/placement.ts';
import type { RowWrite } from './journal.ts';

export interface DeploymentQuestion {
  readonly namespace: string;
  readonly name: string;
  /** The UID of the GitOpsDeployment; undefined where it is gone. */
  readonly uid?: string | undefined;
  /** The environment that it names, if any. */
  readonly environment?: string | undefined;
}

export interface DeploymentAnswer {
  /** Everything that was ever stored for the name and has not been cleaned up, oldest first. */
  readonly applications: readonly StoredApplication[];
  /** Every tenant that has been called like the namespace: the names of namespaces are used again. */
  readonly tenants: readonly { readonly namespaceUid: string; readonly engine: Engine }[];
  /** Every environment of that name in a namespace of that name, the youngest first. */
  readonly environments: readonly {
    readonly id: string;
    readonly namespaceUid: string;
    readonly namespaces: readonly string[];
  }[];
  readonly progress: ApplicationProgress;
  readonly waitingSyncRuns: readonly string[];
  /** The UIDs of all deployments of that name that are noted as faulty. */
  readonly troubled: readonly string[];
}

/** Who an application is for. */
export interface ApplicationOwner {
  readonly namespace: string;
  readonly name: string;
  readonly namespaceUid: string;
  readonly userId: string;
}

/** The rows of GitOpsDeployments. */
export interface DeploymentRows {
  /** Everything in one look. Throws Transient where the database is away. */
  observe(question: DeploymentQuestion): Promise<DeploymentAnswer>;
  /** The application with its owner and its mapping, and the operation that brings it to Argo CD. */
  create(application: WantedApplication, owner: ApplicationOwner): readonly RowWrite[];
  /** The same for one that is there, if it still is as it was seen. */
  update(
    application: WantedApplication,
    over: Pick<StoredApplication, 'revision' | 'environmentId'>,
    owner: ApplicationOwner,
  ): readonly RowWrite[];
  /** The owner alone, for an application that has lost it. */
  own(applicationId: string, userId: string): readonly RowWrite[];
  /** Another operation for what is stored already. */
  retry(
    application: Pick<WantedApplication, 'id' | 'instanceId'>,
    owner: { readonly name: string; readonly userId: string | undefined },
  ): readonly RowWrite[];
  /** The same, and this one compares everything; and that the user has had the look that was asked for. */
  repair(
    application: Pick<WantedApplication, 'id' | 'instanceId'>,
    reconcileAt: string,
    deploymentName: string,
  ): readonly RowWrite[];
  /** Takes the application away with everything that hangs on it, and asks for its end beside Argo CD. Syncs stay, without it. */
  remove(
    application: Pick<StoredApplication, 'id' | 'instanceId' | 'ownerId'>,
    deploymentName: string,
  ): readonly RowWrite[];
  /** The note that a deployment is faulty, which the metrics count. `id` is its UID. Noted again, it stays as it is. */
  noteTrouble(deployment: {
    readonly id: string;
    readonly namespace: string;
    readonly name: string;
  }): readonly RowWrite[];
  forgetTrouble(id: string): readonly RowWrite[];
}
