import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeOperationsAsAWhole } from './suites/operations-whole.ts';

describeOperationsAsAWhole(() => openGitOpsWorld());
