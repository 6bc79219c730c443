import { vi } from 'vitest';
import { killAtEveryCall } from '../../support/kill-at-every-call.ts';
import { describeWithGit } from '../../support/needs-git.ts';
import { openReleaseWorld } from '../../support/release-world.ts';
import { acts, endings, openStory, outcomeOf, perform } from '../../support/snapshot-story.ts';

vi.setConfig({ testTimeout: 600_000 });

describeWithGit(
  'the process that works on an Application and its Components, killed before and after every call',
  () => {
    const story = { acts, endings, openStory, outcomeOf, perform };
    killAtEveryCall(story, { open: (machine) => openReleaseWorld({ machine }), least: 11 });
  },
);
