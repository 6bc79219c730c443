import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeSyncRuns } from './suites/sync-runs.ts';

describeSyncRuns(() => openGitOpsWorld());
