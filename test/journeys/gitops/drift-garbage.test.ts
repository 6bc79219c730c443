import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { startTarget } from '../../support/start-target.ts';
import { describeGarbage } from './suites/drift-garbage.ts';
import { describeGarbageElsewhere } from './suites/drift-garbage-elsewhere.ts';

describeGarbage(() => openGitOpsWorld());
describeGarbageElsewhere(() => openGitOpsWorld(), startTarget);
