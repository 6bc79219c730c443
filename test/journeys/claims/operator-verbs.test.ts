import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeOperatorVerbs } from './suites/operator-verbs.ts';

describeOperatorVerbs(() => openGitOpsWorld());
