import type { StoredCredential } from '../domain/gitops/decide-repo-credential.ts';
import type { Engine, Tenant } from '../domain/gitops/placement.ts';
import type { GitCredential } from '../domain/gitops/repo-credential.ts';
import type { ObjectKey } from './cluster.ts';
import type { RowWrite } from './journal.ts';

/** What a credential belongs to: the object that names it, or an Application for which the service made the repository. */
export type CredentialOwner = 'GitOpsDeploymentRepositoryCredential' | 'Application';

/** A credential as it is to be stored. */
export interface CredentialToStore extends GitCredential {
  readonly owner: CredentialOwner;
  /** The UID of the object. */
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly secretName: string;
}

/** What opens repositories, sealed at rest. */
export interface CredentialRows {
  /** The rows of every object that had this name, opened. Throws Transient where the database is away. */
  observe(owner: CredentialOwner, object: ObjectKey): Promise<readonly StoredCredential[]>;
  /**
   * What a tenant gave for the repository at this address, however the address is spelt; the oldest of several. Never what
   * the service has for repositories of its own. Throws Transient where the database is away.
   */
  opening(repository: { readonly namespace: string; readonly url: string }): Promise<GitCredential | undefined>;
  /** The branches that a tenant's Bindings are written to at this address, however it is spelt. Never one that the service made. */
  openedBy(credential: { readonly namespace: string; readonly url: string }): Promise<readonly string[]>;
  /** The row as it is to be, its mapping, and the operation that tells Argo CD. `over` is the row that was seen; without it there was none. */
  store(
    credential: CredentialToStore,
    tenant: Pick<Tenant, 'namespace' | 'namespaceUid'>,
    engine: Engine,
    over: StoredCredential | undefined,
  ): readonly RowWrite[];
  /** It opened the repository once more. */
  confirm(row: StoredCredential): readonly RowWrite[];
  /** Takes the row and its mapping away, with the operation that tells Argo CD. */
  remove(row: StoredCredential): readonly RowWrite[];
}
