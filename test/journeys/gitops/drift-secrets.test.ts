import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeDriftSecrets } from './suites/drift-secrets.ts';

describeDriftSecrets(() => openGitOpsWorld());
