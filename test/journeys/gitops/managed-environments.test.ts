import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { startTarget } from '../../support/start-target.ts';
import { describeManagedEnvironments } from './suites/managed-environments.ts';

describeManagedEnvironments(() => openGitOpsWorld(), startTarget);
