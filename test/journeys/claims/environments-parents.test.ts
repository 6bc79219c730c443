import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeEnvironmentParents } from './suites/environments-parents.ts';

describeEnvironmentParents(() => openGitOpsWorld());
