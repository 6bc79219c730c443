import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeSpaceQuotas } from './suites/spaces-quotas.ts';

describeSpaceQuotas(() => openGitOpsWorld());
