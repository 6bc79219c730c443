import type { Run, SeenPromotion } from './promotion.ts';

/**
 * A run that says it has ended has done so, even if whoever told it died before the rows knew. But each of its steps is in the
 * rows before the run tells of it: a success of which they know nothing was written by somebody else, and is no evidence.
 */
export function isOver({ run, open, steps }: Pick<SeenPromotion, 'open' | 'steps'> & { readonly run: Run }): boolean {
  if (run.status.state !== 'Completed') return false;
  if (run.status.completionResult !== 'Success' || !open.some(({ uid }) => uid === run.uid)) return true;
  return steps.length > 0 && steps.every(({ status }) => status === 'success');
}
