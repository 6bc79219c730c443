import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { describeBadRepositoryCredentials } from './suites/bad-repository-credentials.ts';
import { describeCredentialsBesideArgoCd } from './suites/credentials-beside-argo-cd.ts';
import { describeRepositoryCredentials } from './suites/repository-credentials.ts';

describeRepositoryCredentials(() => openGitOpsWorld());
describeBadRepositoryCredentials(() => openGitOpsWorld());
describeCredentialsBesideArgoCd(() => openGitOpsWorld());
