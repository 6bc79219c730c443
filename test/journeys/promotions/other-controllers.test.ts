import { describeWithGit } from '../../support/needs-git.ts';
import { openReleaseWorld } from '../../support/release-world.ts';
import { describeOtherControllers } from './suites/other-controllers.ts';

describeWithGit('on the embedded API server', () => describeOtherControllers(() => openReleaseWorld()));
