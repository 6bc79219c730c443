import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeSpaceLeaving } from './suites/spaces-leaving.ts';

describeSpaceLeaving(() => openGitOpsWorld());
