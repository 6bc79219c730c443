import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeDeploymentsEnding } from './suites/deployments-ending.ts';

describeDeploymentsEnding(() => openGitOpsWorld());
