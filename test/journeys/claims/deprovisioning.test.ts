import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeDeprovisioning } from './suites/deprovisioning.ts';

describeDeprovisioning(() => openGitOpsWorld());
