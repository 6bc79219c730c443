import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeSecrets } from './suites/secrets.ts';

describeSecrets(() => openGitOpsWorld());
