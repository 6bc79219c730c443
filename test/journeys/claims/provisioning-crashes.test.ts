import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeProvisioningCrashes } from './suites/provisioning-crashes.ts';

describeProvisioningCrashes((machine) => openGitOpsWorld({ machine }));
