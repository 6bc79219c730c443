/** How our own provisioner fulfils SpaceRequests. */
export interface SpaceSettings {
  /** False: a toolchain operator does it, and we keep our hands off. */
  readonly fulfils: boolean;
  /** The tiers that it knows. */
  readonly tiers: readonly string[];
  /** Where Argo CD reaches the API server of the tenants' cluster, for the kubeconfigs that are made. */
  readonly server: string;
  /** PEM; undefined: an authority that every machine trusts. */
  readonly certificateAuthority: string | undefined;
}
