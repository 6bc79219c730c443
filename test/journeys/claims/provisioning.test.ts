import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeProvisioning } from './suites/provisioning.ts';

describeProvisioning(() => openGitOpsWorld());
