import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeDriftOperations } from './suites/drift-operations.ts';

describeDriftOperations(() => openGitOpsWorld());
