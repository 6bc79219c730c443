import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeBindingWaits } from './suites/binding-waits.ts';

describeBindingWaits(() => openGitOpsWorld());
