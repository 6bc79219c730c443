import type { Engine, Tenant } from '../domain/gitops/placement.ts';
import type { RowWrite } from './journal.ts';

/** Who owns a namespace of the API, and which Argo CD works for them. */
export interface Tenants {
  /** What the rows say. Throws Transient where the database is away. */
  observe(namespace: { readonly name: string; readonly uid: string }): Promise<Tenant>;
  /** Every Argo CD that is registered. */
  engines(): Promise<readonly Engine[]>;
  /**
   * The rows of a tenant that is placed for the first time: user, engine, the environment of its own namespace, access
   * and mappings. Whatever of it is there already stays as it is.
   */
  place(tenant: Pick<Tenant, 'namespace' | 'namespaceUid'>, engine: Engine): readonly RowWrite[];
}
