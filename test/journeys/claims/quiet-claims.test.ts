import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeQuietClaims } from './suites/quiet-claims.ts';

describeQuietClaims(() => openGitOpsWorld());
