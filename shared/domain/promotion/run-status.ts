import type { Said } from '../core/condition.ts';

export type StepStatus = 'in-progress' | 'success' | 'failed';

export interface ToldWait {
  readonly reason: string;
  readonly message: string;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** What a PromotionRun says about one component in one environment. */
export interface ToldComponent {
  readonly name: string;
  readonly revision: string;
  readonly sync: string;
  readonly health: string;
  readonly observedAt?: string | undefined;
}

export interface ToldEnvironment {
  readonly step: number;
  readonly environmentName: string;
  readonly status: StepStatus;
  readonly displayStatus: string;
  readonly reason: string;
  readonly startTime?: string | undefined;
  readonly endTime?: string | undefined;
  readonly waiting?: ToldWait | undefined;
  readonly commit: string;
  readonly components: readonly ToldComponent[];
}

/** What stands in the status of a PromotionRun. */
export interface RunStatus {
  readonly state?: 'Waiting' | 'Active' | 'Completed' | undefined;
  readonly completionResult?: 'Success' | 'Failure' | undefined;
  readonly environmentStatus: readonly ToldEnvironment[];
  readonly activeBindings: readonly string[];
  readonly waiting?: ToldWait | undefined;
  readonly promotionStartTime?: string | undefined;
  readonly completionTime?: string | undefined;
  readonly conditions: readonly Said[];
}
