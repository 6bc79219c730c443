import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeClaimLifetime } from './suites/claim-lifetime.ts';

describeClaimLifetime(() => openGitOpsWorld());
