import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeStatus } from './suites/status.ts';
import { describeStatusTrouble } from './suites/status-trouble.ts';

describeStatus(() => openGitOpsWorld());
describeStatusTrouble(() => openGitOpsWorld());
