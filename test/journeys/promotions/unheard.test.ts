import { describeWithGit } from '../../support/needs-git.ts';
import { openReleaseWorld } from '../../support/release-world.ts';
import { describeUnheard } from './suites/unheard.ts';

describeWithGit('on the embedded API server', () => describeUnheard(() => openReleaseWorld()));
