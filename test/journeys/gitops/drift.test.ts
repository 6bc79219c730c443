import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeDrift } from './suites/drift.ts';

describeDrift(() => openGitOpsWorld());
