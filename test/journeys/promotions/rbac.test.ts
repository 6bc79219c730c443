import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { asServiceAccounts } from '../../support/impersonating-world.ts';
import { describeWithGit } from '../../support/needs-git.ts';
import { openReleaseWorld } from '../../support/release-world.ts';
import { describeSeedExample } from './suites/seed-example.ts';

// With nothing but the roles of infra/kubernetes/rbac.
describeWithGit('each function as its own ServiceAccount', () => {
  describeSeedExample(() => openReleaseWorld({}, (settings) => asServiceAccounts(() => openGitOpsWorld(settings))()));
});
