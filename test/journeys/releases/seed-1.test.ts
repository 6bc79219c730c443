import { describeWithGit } from '../../support/needs-git.ts';
import { openReleaseWorld } from '../../support/release-world.ts';
import { describeSeed1 } from './suites/seed-1.ts';

describeWithGit('on the embedded API server', () => describeSeed1(() => openReleaseWorld()));
