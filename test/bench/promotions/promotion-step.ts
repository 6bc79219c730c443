import { namespace, promotionMeasure } from './promotion-measure.ts';
import { application, first, second } from './promotion-objects.ts';

export const promotionStep = promotionMeasure({
  name: 'promotion-step',
  asks: 'How long from what Argo CD says of the last component until the Binding of the next environment has the snapshot?',
  most: 3,
  environments: [first, second],
  floorDoes: 'tells the GitOpsDeployment and changes the Binding; both begin with the write of what Argo CD says',
  async ours(bench, snapshot) {
    await bench.createSnapshot(namespace, snapshot, application);
    const seen = bench.promoted(namespace, application, second, snapshot);
    const from = await bench.deploy(namespace, application, first);
    const took = (await seen) - from;
    await bench.deploy(namespace, application, second);
    return took;
  },
  floor: (bare, snapshot) => bare.fromReport(snapshot),
});
