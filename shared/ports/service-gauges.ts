/** How many there are of what an operator watches, all of the same moment. */
export interface ServiceNumbers {
  /** Deployments that are stored, and those that are not because something is wrong with them. */
  readonly deployments: number;
  /** Those whose users read that something is wrong. */
  readonly faultyDeployments: number;
  /** Operations, by how far they are. Those that ended are kept for a while. */
  readonly waiting: number;
  readonly inProgress: number;
  readonly completed: number;
  readonly failed: number;
  /** Those of them that ended in the last ten minutes. */
  readonly completedLately: number;
  readonly failedLately: number;
}

export interface ServiceGauges {
  /** Throws Transient where the database is away. */
  read(): Promise<ServiceNumbers>;
}
