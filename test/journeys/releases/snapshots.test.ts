import { describeWithGit } from '../../support/needs-git.ts';
import { byHand, openReleaseWorld } from '../../support/release-world.ts';
import { describeSnapshots } from './suites/snapshots.ts';

describeWithGit('on the embedded API server', () => describeSnapshots(() => openReleaseWorld(byHand)));
