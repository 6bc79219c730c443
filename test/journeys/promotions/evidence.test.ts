import { describeWithGit } from '../../support/needs-git.ts';
import { openReleaseWorld } from '../../support/release-world.ts';
import { describeEvidence } from './suites/evidence.ts';

describeWithGit('on the embedded API server', () => describeEvidence(() => openReleaseWorld()));
