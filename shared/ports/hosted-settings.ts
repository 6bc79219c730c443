/** Where hosted clusters are made. */
export interface HostedSettings {
  /** The namespace of all HostedClusters, which is the provider's own: no tenant sees into it. */
  readonly namespace: string;
  /** The Secret of that namespace with which hosted clusters fetch their images. */
  readonly pullSecret: string;
}
