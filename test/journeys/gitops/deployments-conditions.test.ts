import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeDeploymentsConditions } from './suites/deployments-conditions.ts';

describeDeploymentsConditions(() => openGitOpsWorld());
