import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeSpaceRefusals } from './suites/spaces-refused.ts';

describeSpaceRefusals(() => openGitOpsWorld());
