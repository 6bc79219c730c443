import { describeWithGit } from '../../support/needs-git.ts';
import { openReleaseWorld } from '../../support/release-world.ts';
import { describeGraph } from './suites/graph.ts';

describeWithGit('on the embedded API server', () => describeGraph(() => openReleaseWorld()));
