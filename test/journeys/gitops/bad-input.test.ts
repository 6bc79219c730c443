import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { startTarget } from '../../support/start-target.ts';
import { describeBadInput } from './suites/bad-input.ts';

describeBadInput(() => openGitOpsWorld(), startTarget);
