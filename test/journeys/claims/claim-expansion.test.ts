import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeClaimExpansion } from './suites/claim-expansion.ts';

describeClaimExpansion(() => openGitOpsWorld());
