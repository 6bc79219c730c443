import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeSyncRunsToArgo } from './suites/sync-runs-to-argo.ts';

describeSyncRunsToArgo(() => openGitOpsWorld());
