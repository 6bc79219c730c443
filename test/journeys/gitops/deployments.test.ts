import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeDeployments } from './suites/deployments.ts';

describeDeployments(() => openGitOpsWorld());
