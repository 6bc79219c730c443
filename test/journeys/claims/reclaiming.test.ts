import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeReclaiming } from './suites/reclaiming.ts';

describeReclaiming(() => openGitOpsWorld());
