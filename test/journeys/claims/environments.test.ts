import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeEnvironments } from './suites/environments.ts';

describeEnvironments(() => openGitOpsWorld());
