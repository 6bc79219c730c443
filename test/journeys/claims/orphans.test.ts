import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeOrphans } from './suites/orphans.ts';

describeOrphans(() => openGitOpsWorld());
