import type { Run, SeenPromotion, StoredStep } from './promotion.ts';

/**
 * What goes by the name of the Snapshot now is another one than the run was started for, or some step began with: the images
 * may be others.
 */
export function isReplaced(
  snapshot: SeenPromotion['snapshot'],
  ...known: readonly Pick<Run | StoredStep, 'snapshotUid'>[]
): boolean {
  return snapshot !== undefined && known.some(({ snapshotUid }) => !['', snapshot.uid].includes(snapshotUid));
}

export function whyReplaced({ snapshot }: Run): { readonly reason: string; readonly message: string } {
  return {
    reason: 'SnapshotReplaced',
    message: `Snapshot ${snapshot} was deleted and made again since this promotion was asked for: create another PromotionRun for it`,
  };
}
