import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { asServiceAccounts } from '../../support/impersonating-world.ts';
import { describeWithGit } from '../../support/needs-git.ts';
import { byHand, openReleaseWorld } from '../../support/release-world.ts';
import { describeApplications } from './suites/applications.ts';
import { describeBindings } from './suites/bindings.ts';
import { describeRepositories } from './suites/repositories.ts';
import { describeSnapshots } from './suites/snapshots.ts';

// With nothing but the roles of infra/kubernetes/rbac.
describeWithGit('each function as its own ServiceAccount', () => {
  const open = () => openReleaseWorld(byHand, (settings) => asServiceAccounts(() => openGitOpsWorld(settings))());
  for (const suite of [describeApplications, describeSnapshots, describeBindings, describeRepositories]) suite(open);
});
