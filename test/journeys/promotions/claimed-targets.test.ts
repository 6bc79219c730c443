import { describeWithGit } from '../../support/needs-git.ts';
import { openReleaseWorld } from '../../support/release-world.ts';
import { describeClaimedTargets } from './suites/claimed-targets.ts';

describeWithGit('on the embedded API server', () => describeClaimedTargets(() => openReleaseWorld()));
