import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeClaimedEnvironments } from './suites/environments-claims.ts';

describeClaimedEnvironments(() => openGitOpsWorld());
