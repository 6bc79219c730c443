import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeGarbage } from './suites/drift-garbage.ts';

describeGarbage(() => openGitOpsWorld());
