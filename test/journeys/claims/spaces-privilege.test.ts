import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeSpacePrivilege } from './suites/spaces-privilege.ts';

describeSpacePrivilege(() => openGitOpsWorld());
