import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { asServiceAccounts } from '../../support/impersonating-world.ts';
import { describeWithGit } from '../../support/needs-git.ts';
import { openReleaseWorld } from '../../support/release-world.ts';
import { describeManualDeployments } from './suites/manual-deployments.ts';

// Each function as its own ServiceAccount: to ask for a sync needs a right of its own.
describeWithGit('on the embedded API server', () => {
  describeManualDeployments(() =>
    openReleaseWorld({}, (settings) => asServiceAccounts(() => openGitOpsWorld(settings))()),
  );
});
