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

/** The cells of one application; `open` are its promotions that have not ended. */
export function showCells(cells: readonly ToldCell[], open: readonly ToldPromotion[]): ShownCell[] {
  const active = open.find(({ state }) => state === 'Active');
  const under = new Map(
    active?.steps.filter(({ status }) => status === 'in-progress').map((step) => [step.environment, step]),
  );
  return cells.map((cell) => {
    const step = under.get(cell.environment);
    const { application, environment, snapshot, commit, sync, health, since } = cell;
    return {
      application,
      environment,
      snapshot,
      commit,
      tone: toneOfCell(cell, step),
      sync,
      health,
      since: step?.beganAt ?? since,
      promotion: step && active?.name,
      says:
        cell.trouble ??
        (step && { reason: step.reason || active?.waiting?.reason || '', message: step.message, since: step.beganAt }),
    };
  });
}
