import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeOperationsOfDeletion } from './suites/operations-deletion.ts';

describeOperationsOfDeletion(() => openGitOpsWorld());
