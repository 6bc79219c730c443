import { describe } from 'vitest';
import { openEmbeddedJourneyCluster } from '../support/journey-cluster.ts';
import { describeClusterJourney } from './clusters/describe-cluster-journey.ts';

describe('a change in the embedded cluster', () => {
  describeClusterJourney(openEmbeddedJourneyCluster, ['the API server']);
});
