import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeOperationsOfEngines } from './suites/operations-engines.ts';

describeOperationsOfEngines(() => openGitOpsWorld());
