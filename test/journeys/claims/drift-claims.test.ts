import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { startTarget } from '../../support/start-target.ts';
import { describeClaimsDrift } from './suites/drift-claims.ts';

describeClaimsDrift(() => openGitOpsWorld(), startTarget);
