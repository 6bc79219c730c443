import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeTargets } from './suites/targets.ts';

describeTargets(() => openGitOpsWorld());
