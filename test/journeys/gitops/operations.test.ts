import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeOperations } from './suites/operations.ts';

describeOperations(() => openGitOpsWorld());
