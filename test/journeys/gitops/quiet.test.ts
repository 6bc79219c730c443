import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { startTarget } from '../../support/start-target.ts';
import { describeQuiet } from './suites/quiet.ts';

describeQuiet(() => openGitOpsWorld(), startTarget);
