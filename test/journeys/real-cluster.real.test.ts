import { describe } from 'vitest';
import { openRealJourneyCluster } from '../support/journey-cluster.ts';
import { partsOf, realParts, reasonOf } from '../support/real-parts.ts';
import { describeClusterJourney } from './clusters/describe-cluster-journey.ts';

const real = await realParts(['etcd', 'kube-apiserver']);

describe.skipIf('missing' in real)(`a change in a real cluster${reasonOf(real)}`, () => {
  describeClusterJourney((place) => openRealJourneyCluster(place, partsOf(real)), ['the API server', 'etcd']);
});
