import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeBinding } from './suites/binding.ts';

describeBinding(() => openGitOpsWorld());
