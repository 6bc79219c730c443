import type { ToldPromotion, ToldWait } from '../../../shared/ports/promotion-reader.ts';
import { type Tone, toneOfPromotion, toneOfStep } from './tone.ts';

/** A promotion among others: enough to see how it does and to open it. */
export interface ShownPromotion {
  /** The UID: one after another may have had the name. */
  readonly id: string;
  readonly name: string;
  readonly snapshot: string;
  readonly isAutomated: boolean;
  readonly state: string;
  readonly result: string;
  readonly tone: Tone;
  readonly reason: string;
  readonly message: string;
  readonly waiting: ToldWait | undefined;
  readonly createdAt: string;
  readonly completedAt: string | undefined;
  /** Where it was, is, or begins. */
  readonly way: readonly { readonly environment: string; readonly status: string; readonly tone?: Tone }[];
}

export function showPromotion(told: ToldPromotion): ShownPromotion {
  const { id, name, snapshot, isAutomated, state, result, reason, message, waiting, createdAt, completedAt } = told;
  const steps = told.steps.map((step) => ({
    environment: step.environment,
    status: step.status,
    tone: toneOfStep(step),
  }));
  const ahead = told.beginsIn.map((environment) => ({ environment, status: 'ahead' }));
  return {
    id,
    name,
    snapshot,
    isAutomated,
    state,
    result,
    tone: toneOfPromotion(told),
    reason,
    message,
    waiting,
    createdAt,
    completedAt,
    way: steps.length > 0 ? steps : ahead,
  };
}
