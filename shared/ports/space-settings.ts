/** How our own provisioner fulfils SpaceRequests. */
export interface SpaceSettings {
  /** False: a toolchain operator does it, and we keep our hands off. */
  readonly fulfils: boolean;
  /** The tiers that it knows. */
  readonly tiers: readonly string[];
  /** Where Argo CD reaches the API server of the tenants' cluster, for the kubeconfigs that are made. */
  readonly server: string;
  /** PEM, as it is now: authorities are renewed. Undefined: one that every machine trusts. Throws Transient where it cannot be read. */
  certificateAuthority(): Promise<string | undefined>;
}
