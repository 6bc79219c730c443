import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeMovingEnvironments } from './suites/environments-moves.ts';

describeMovingEnvironments(() => openGitOpsWorld());
