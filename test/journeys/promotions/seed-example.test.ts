import { describeWithGit } from '../../support/needs-git.ts';
import { openReleaseWorld } from '../../support/release-world.ts';
import { describeSeedExample } from './suites/seed-example.ts';

describeWithGit('on the embedded API server', () => describeSeedExample(() => openReleaseWorld()));
