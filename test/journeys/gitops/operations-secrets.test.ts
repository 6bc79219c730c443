import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeOperationsOfSecrets } from './suites/operations-secrets.ts';

describeOperationsOfSecrets(() => openGitOpsWorld());
