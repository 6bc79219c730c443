import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeOperationsOfSync } from './suites/operations-sync.ts';

describeOperationsOfSync(() => openGitOpsWorld());
