import { vi } from 'vitest';
import { openEmbeddedTenants, openFarJourney } from '../../support/far-journey.ts';
import { openEmbeddedArgoCluster, openGitOpsJourney } from '../../support/gitops-journey.ts';
import { describeWithGit } from '../../support/needs-git.ts';
import { describeClaimJourneys } from './with-argo-cd/claims.ts';
import { describeCredentialJourneys } from './with-argo-cd/credentials.ts';
import { describeDeploymentJourneys } from './with-argo-cd/deployments.ts';
import { describeEnvironmentJourneys } from './with-argo-cd/environments.ts';
import { describeFarEngineJourneys } from './with-argo-cd/far-engines.ts';
import { describeIsolationJourneys } from './with-argo-cd/isolation.ts';
import { describeReleaseJourneys } from './with-argo-cd/releases.ts';
import { describeSyncRunJourneys } from './with-argo-cd/sync-runs.ts';

// A case takes seconds; a busy machine was seen to need ten times as many.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

describeWithGit('on the stand-ins', () => {
  const open = () => openGitOpsJourney(openEmbeddedArgoCluster, 60_000);
  describeDeploymentJourneys(open);
  describeIsolationJourneys(open);
  describeCredentialJourneys(open);
  describeEnvironmentJourneys(open);
  describeSyncRunJourneys(open);
  describeClaimJourneys(open);
  describeReleaseJourneys(open);
  describeFarEngineJourneys(() => openFarJourney(openEmbeddedTenants, openEmbeddedArgoCluster, 60_000));
});
