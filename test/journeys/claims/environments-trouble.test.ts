import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeTroubledEnvironments } from './suites/environments-trouble.ts';

describeTroubledEnvironments(() => openGitOpsWorld());
