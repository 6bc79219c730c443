import { namespace, promotionMeasure } from './promotion-measure.ts';
import { application, first } from './promotion-objects.ts';

export const snapshotToBinding = promotionMeasure({
  name: 'snapshot-to-binding',
  asks: 'How long from the create of a Snapshot until the Binding of the first environment has it?',
  most: 4,
  environments: [first],
  floorDoes: 'creates the PromotionRun, tells the Snapshot and changes the Binding, one after the other',
  async ours(bench, snapshot) {
    const seen = bench.promoted(namespace, application, first, snapshot);
    const from = performance.now();
    await bench.createSnapshot(namespace, snapshot, application);
    const took = (await seen) - from;
    await bench.deploy(namespace, application, first);
    return took;
  },
  floor: (bare, snapshot) => bare.fromSnapshot(snapshot),
});
