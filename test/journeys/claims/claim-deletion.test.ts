import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeClaimDeletion } from './suites/claim-deletion.ts';

describeClaimDeletion(() => openGitOpsWorld());
