import { describe, vi } from 'vitest';
import { openFarJourney, openRealTenants } from '../../support/far-journey.ts';
import { openEmbeddedArgoCluster, openGitOpsJourney, openRealArgoCluster } from '../../support/gitops-journey.ts';
import { describeWithSsh } from '../../support/needs-ssh.ts';
import { partsOf, realParts, reasonOf } from '../../support/real-parts.ts';
import { describeClaimJourneys } from './with-argo-cd/claims.ts';
import { describeCredentialJourneys } from './with-argo-cd/credentials.ts';
import { describeDeploymentJourneys } from './with-argo-cd/deployments.ts';
import { describeEnvironmentJourneys } from './with-argo-cd/environments.ts';
import { describeFarEngineJourneys } from './with-argo-cd/far-engines.ts';
import { describeIsolationJourneys } from './with-argo-cd/isolation.ts';
import { describeReleaseJourneys } from './with-argo-cd/releases.ts';
import { describeSshJourneys } from './with-argo-cd/ssh-repositories.ts';
import { describeSyncRunJourneys } from './with-argo-cd/sync-runs.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const patienceMs = 90_000;
const real = await realParts(['etcd', 'kube-apiserver', 'kube-controller-manager', 'argo-cd', 'kustomize']);

describe.skipIf('missing' in real)(`on a real cluster and a real Argo CD${reasonOf(real)}`, () => {
  const open = () => openGitOpsJourney(() => openRealArgoCluster(partsOf(real)), patienceMs);
  describeDeploymentJourneys(open);
  describeIsolationJourneys(open);
  describeCredentialJourneys(open);
  describeEnvironmentJourneys(open);
  describeSyncRunJourneys(open);
  describeClaimJourneys(open);
  describeReleaseJourneys(open);
  describeFarEngineJourneys(() => {
    const parts = partsOf(real);
    return openFarJourney(
      () => openRealTenants(parts),
      () => openRealArgoCluster(parts),
      patienceMs,
    );
  });
  describeWithSsh('and a real ssh server', () =>
    describeSshJourneys((knownHosts) =>
      openGitOpsJourney(() => openRealArgoCluster(partsOf(real), knownHosts), patienceMs),
    ),
  );
});

describeWithSsh('on the stand-ins and a real ssh server', () =>
  describeSshJourneys((knownHosts) => openGitOpsJourney(() => openEmbeddedArgoCluster(knownHosts), patienceMs)),
);
