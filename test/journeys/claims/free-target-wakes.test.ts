import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeFreeTargetWakes } from './suites/free-target-wakes.ts';

describeFreeTargetWakes(() => openGitOpsWorld());
