import type { Run, SeenPromotion, StoredStep } from './promotion.ts';

/** What goes by the name of the Snapshot now is another one than some step began with: the images may be others. */
export function isReplaced(
  snapshot: SeenPromotion['snapshot'],
  steps: readonly Pick<StoredStep, 'snapshotUid'>[],
): boolean {
  return snapshot !== undefined && steps.some(({ snapshotUid }) => !['', snapshot.uid].includes(snapshotUid));
}

export function whyReplaced({ snapshot }: Run): { readonly reason: string; readonly message: string } {
  return {
    reason: 'SnapshotReplaced',
    message: `Snapshot ${snapshot} was deleted and made again since it was promoted here: create another PromotionRun for it`,
  };
}
