import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeEvents } from './suites/events.ts';

describeEvents(() => openGitOpsWorld());
