import { describeWithGit } from '../../support/needs-git.ts';
import { openReleaseWorld } from '../../support/release-world.ts';
import { describeRuns } from './suites/runs.ts';

describeWithGit('on the embedded API server', () => describeRuns(() => openReleaseWorld()));
