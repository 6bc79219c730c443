import { afterAll, beforeAll, describe, vi } from 'vitest';
import { type ClusterConnection, connectCluster } from '../../../shared/adapters/kubernetes/connection.ts';
import { openCluster } from '../../../shared/adapters/kubernetes/open-cluster.ts';
import { tellEnvironmentStory } from '../../support/environment-story.ts';
import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { killAtEveryCall } from '../../support/kill-at-every-call.ts';
import type { RunningCluster } from '../../support/running-cluster.ts';
import { startTarget } from '../../support/start-target.ts';
import { openWatchedTargets } from '../../support/watched-targets.ts';

vi.setConfig({ testTimeout: 300_000 });

describe('the process that works on a managed environment, killed before and after every call it makes', () => {
  const { targets, way, close } = openWatchedTargets();
  let running: RunningCluster;
  let connection: ClusterConnection;
  beforeAll(async () => {
    running = await startTarget();
    connection = connectCluster({ kubeconfigPath: running.kubeconfigFile, now: Date.now });
  });
  afterAll(async () => {
    await close();
    await connection?.close();
    await running?.stop();
  });

  const story = tellEnvironmentStory(
    () => running,
    () => openCluster({ connection }),
  );
  killAtEveryCall(story, {
    open: (machine) => openGitOpsWorld({ machine, world: { targets } }),
    ways: [way],
    least: 6,
  });
});
