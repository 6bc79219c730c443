import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeSpaces } from './suites/spaces.ts';

describeSpaces(() => openGitOpsWorld());
