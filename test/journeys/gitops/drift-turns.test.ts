import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeDriftTurns } from './suites/drift-turns.ts';

describeDriftTurns(() => openGitOpsWorld());
