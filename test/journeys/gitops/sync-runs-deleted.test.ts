import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeDeletedSyncRuns } from './suites/sync-runs-deleted.ts';

describeDeletedSyncRuns(() => openGitOpsWorld());
