import type { Subject } from '../domain/core/subject.ts';
import type {
  EnvironmentCredentials,
  StoredEnvironment,
  TargetAccess,
  TargetAccount,
} from '../domain/gitops/managed-environment.ts';
import type { RowWrite } from './journal.ts';

interface ObservedEnvironmentRows {
  /** Of every object that had this name, whichever UID it had. */
  readonly stored: readonly StoredEnvironment[];
  readonly accounts: readonly TargetAccount[];
  /** Deployments of the namespace that say they wait for it. */
  readonly waiting: readonly Subject[];
}

/** Whose environment it is. */
export interface EnvironmentOwner {
  readonly id: string;
  readonly namespace: string;
  readonly namespaceUid: string;
  readonly name: string;
  /** The Argo CD of its tenant. */
  readonly instanceId: string;
}

/** The rows behind managed environments. Tokens are sealed on their way in and opened on their way out. */
export interface EnvironmentRows {
  /** `uid` is that of the object that bears the name now, if one does. */
  observe(named: Subject, uid: string | undefined): Promise<ObservedEnvironmentRows>;
  /** A new row of credentials, in place of the one that was seen, and everything around it that is missing. */
  write(
    owner: EnvironmentOwner,
    credentials: EnvironmentCredentials,
    before: StoredEnvironment | undefined,
  ): readonly RowWrite[];
  /** Only what is missing around the credentials. */
  complete(owner: EnvironmentOwner): readonly RowWrite[];
  /** Everything about it, with an operation for each application that used it and for its cluster Secret. */
  remove(environment: StoredEnvironment): readonly RowWrite[];
  /** That an account is made there. One that stands somewhere else is kept beside it, to be taken away. */
  recordAccount(
    owner: Pick<EnvironmentOwner, 'id' | 'namespace' | 'name'>,
    access: TargetAccess,
    before: TargetAccount | undefined,
  ): readonly RowWrite[];
  /** The token of its own that the account has by now. */
  keepAccountToken(id: string, token: string): RowWrite;
  discardAccount(id: string): RowWrite;
  forgetAccount(id: string): RowWrite;
}
