import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeDriftMappings } from './suites/drift-mappings.ts';

describeDriftMappings(() => openGitOpsWorld());
