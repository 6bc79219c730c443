import type { ToldCell, ToldPromotion } from '../../../shared/ports/promotion-reader.ts';
import { type Tone, toneOfCell } from './tone.ts';

/** What an environment runs of an application, and what is on its way to it. */
export interface ShownCell {
  readonly application: string;
  readonly environment: string;
  readonly snapshot: string;
  readonly commit: string;
  readonly tone: Tone;
  readonly sync: string;
  readonly health: string;
  readonly since: string;
  /** The promotion that is bringing it. */
  readonly promotion: string | undefined;
  /** Why it is not as it should be. */
  readonly says: { readonly reason: string; readonly message: string; readonly since: string } | undefined;
}

/** The cells of one application; `open` are its promotions that have not ended, `failed` is its last one if it failed. */
export function showCells(
  cells: readonly ToldCell[],
  open: readonly ToldPromotion[],
  failed: readonly ToldPromotion[] = [],
): ShownCell[] {
  const active = open.find(({ state }) => state === 'Active');
  const under = new Map(
    active?.steps.filter(({ status }) => status === 'in-progress').map((step) => [step.environment, step]),
  );
  return cells.map((cell) => {
    const step = under.get(cell.environment);
    const { application, environment, snapshot, commit, sync, health, since } = cell;
    const tone = toneOfCell(cell, step);
    // What did not get well in time is not under way any more, whatever it looks like.
    const given = step === undefined && tone !== 'good' ? failureOf(cell, failed) : undefined;
    return {
      application,
      environment,
      snapshot,
      commit,
      tone: given === undefined ? tone : 'bad',
      sync,
      health,
      since: step?.beganAt ?? since,
      promotion: step === undefined ? given?.promotion : active?.name,
      says:
        cell.trouble ??
        given ??
        (step && { reason: step.reason || active?.waiting?.reason || '', message: step.message, since: step.beganAt }),
    };
  });
}

/** Why the promotion that brought this snapshot gave up on the environment. */
function failureOf({ environment, snapshot }: ToldCell, failed: readonly ToldPromotion[]) {
  const promotion = failed.find((one) => one.snapshot === snapshot);
  const step = promotion?.steps.find((one) => one.environment === environment && one.status === 'failed');
  if (promotion === undefined || step === undefined) return undefined;
  const { reason, message, beganAt, endedAt = beganAt } = step;
  return { reason, message, since: endedAt, promotion: promotion.name };
}
