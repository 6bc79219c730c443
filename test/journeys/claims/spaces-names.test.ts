import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeSpaceNames } from './suites/spaces-names.ts';

describeSpaceNames(() => openGitOpsWorld());
