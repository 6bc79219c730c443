import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeDeploymentsTargets } from './suites/deployments-targets.ts';

describeDeploymentsTargets(() => openGitOpsWorld());
