import { describe, vi } from 'vitest';
import { openGitOpsJourney, openRealArgoCluster } from '../../support/gitops-journey.ts';
import { partsOf, realParts, reasonOf } from '../../support/real-parts.ts';
import { describePromotionJourney } from './suites/with-argo-cd.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const real = await realParts(['etcd', 'kube-apiserver', 'kube-controller-manager', 'argo-cd', 'kustomize']);

describe.skipIf('missing' in real)(`on a real cluster and a real Argo CD${reasonOf(real)}`, () =>
  describePromotionJourney(() => openGitOpsJourney(() => openRealArgoCluster(partsOf(real)), 140_000)),
);
