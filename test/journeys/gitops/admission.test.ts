import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeAdmission } from './suites/admission.ts';

describeAdmission(() => openGitOpsWorld());
