import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeLostTarget } from './suites/lost-target.ts';

describeLostTarget(() => openGitOpsWorld());
