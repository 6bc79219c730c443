import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeGrowing } from './suites/growing.ts';

describeGrowing(() => openGitOpsWorld());
