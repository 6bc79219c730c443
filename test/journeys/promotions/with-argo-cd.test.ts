import { vi } from 'vitest';
import { openEmbeddedArgoCluster, openGitOpsJourney } from '../../support/gitops-journey.ts';
import { describeWithGit } from '../../support/needs-git.ts';
import { describePromotionJourney } from './suites/with-argo-cd.ts';

// A case takes seconds; a busy machine was seen to need ten times as many.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

describeWithGit('on the stand-ins', () =>
  describePromotionJourney(() => openGitOpsJourney(openEmbeddedArgoCluster, 80_000)),
);
