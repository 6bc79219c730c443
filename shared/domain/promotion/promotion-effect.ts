import type { Effect } from '../core/step.ts';
import type { StepStatus } from './run-status.ts';

interface StepWrite {
  readonly environment: string;
  readonly step: number;
  readonly status: StepStatus;
  readonly reason: string;
  readonly at: number;
}

/** What a decision about a promotion may do. */
export type PromotionEffect = Effect &
  (
    | { readonly do: 'label-run' }
    | { readonly do: 'keep-run'; readonly reason: string; readonly at: number }
    | { readonly do: 'take-turn'; readonly snapshot: string; readonly at: number }
    | {
        readonly do: 'end-run';
        readonly uid: string;
        readonly result: 'Success' | 'Failure' | 'Deleted';
        readonly reason: string;
        readonly at: number;
      }
    | {
        readonly do: 'create-binding';
        readonly name: string;
        readonly environment: string;
        readonly snapshot: string;
        /** See StoredStep. */
        readonly before: string;
      }
    | {
        readonly do: 'promote-binding';
        readonly name: string;
        readonly environment: string;
        readonly snapshot: string;
        readonly from: string;
        /** See StoredStep. */
        readonly before: string;
      }
    | ({ readonly do: 'begin-step' | 'keep-step' } & StepWrite)
    | ({ readonly do: 'end-step' } & StepWrite)
    | {
        readonly do: 'sync-deployment';
        /** Of the GitOpsDeploymentSyncRun. */
        readonly name: string;
        readonly environment: string;
        readonly deployment: string;
        readonly revision: string;
      }
    | {
        readonly do: 'start-followers';
        readonly name: string;
        readonly environments: readonly string[];
        /** Of the Snapshot that has come to where they follow, whatever goes by its name by now. */
        readonly snapshotUid: string;
      }
    | { readonly do: 'tell-user'; readonly at: number }
  );
