import type { StoredCredential } from '../domain/gitops/decide-repo-credential.ts';
import type { Engine, Tenant } from '../domain/gitops/placement.ts';
import type { GitCredential } from '../domain/gitops/repo-credential.ts';
import type { RowWrite } from './journal.ts';

/** A credential as it is to be stored. */
export interface CredentialToStore extends GitCredential {
  /** The UID of the object. */
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly secretName: string;
}

/** What opens repositories, sealed at rest. */
export interface CredentialRows {
  /** The rows of every GitOpsDeploymentRepositoryCredential that had this name, opened. Throws Transient where the database is away. */
  observe(object: { readonly namespace: string; readonly name: string }): Promise<readonly StoredCredential[]>;
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
