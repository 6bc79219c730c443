import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { asServiceAccounts } from '../../support/impersonating-world.ts';
import { describeWithGit } from '../../support/needs-git.ts';
import { openReleaseWorld } from '../../support/release-world.ts';
import { describeItsBindings } from './suites/its-bindings.ts';

// Each function as its own ServiceAccount: to look whether a name is taken needs a right of its own.
describeWithGit('on the embedded API server', () => {
  describeItsBindings(() => openReleaseWorld({}, (settings) => asServiceAccounts(() => openGitOpsWorld(settings))()));
});
