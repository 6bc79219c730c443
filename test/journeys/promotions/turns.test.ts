import { describeWithGit } from '../../support/needs-git.ts';
import { openReleaseWorld } from '../../support/release-world.ts';
import { describeTurns } from './suites/turns.ts';

describeWithGit('on the embedded API server', () => describeTurns(() => openReleaseWorld()));
