import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeClaimsAdmission } from './suites/claims-admission.ts';

describeClaimsAdmission(() => openGitOpsWorld());
