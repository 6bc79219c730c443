/** A Kubernetes API on loopback, the real one or the embedded one, as tests see it. */
export interface RunningCluster {
  /** https://127.0.0.1:port */
  readonly url: string;
  /** The certificate that its own is checked against, as PEM. */
  readonly ca: string;
  readonly adminToken: string;
  readonly kubeconfigFile: string;
  stop(): Promise<void>;
}
