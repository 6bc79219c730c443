import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeSyncRunsInLine } from './suites/sync-runs-in-line.ts';

describeSyncRunsInLine(() => openGitOpsWorld());
