import { describeWithGit } from '../../support/needs-git.ts';
import { byHand, openReleaseWorld } from '../../support/release-world.ts';
import { describeBindings } from './suites/bindings.ts';

describeWithGit('on the embedded API server', () => describeBindings(() => openReleaseWorld(byHand)));
