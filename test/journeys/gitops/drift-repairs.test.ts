import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeDriftRepairs } from './suites/drift-repairs.ts';

describeDriftRepairs(() => openGitOpsWorld());
