import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeDriftOrphans } from './suites/drift-orphans.ts';

describeDriftOrphans(() => openGitOpsWorld());
