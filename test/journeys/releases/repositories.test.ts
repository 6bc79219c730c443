import { describeWithGit } from '../../support/needs-git.ts';
import { openReleaseWorld } from '../../support/release-world.ts';
import { describeRepositories } from './suites/repositories.ts';

describeWithGit('on the embedded API server', () => describeRepositories(() => openReleaseWorld()));
