import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { noSpaces } from '../../support/no-spaces.ts';
import { describeSeed2 } from './suites/seed-2.ts';

describeSeed2(() => openGitOpsWorld({ world: noSpaces }));
