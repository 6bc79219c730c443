import { describe, vi } from 'vitest';
import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { killAtEveryCall } from '../../support/kill-at-every-call.ts';
import { acts, endings, openStory, outcomeOf, perform, playSyncing } from '../../support/sync-story.ts';

vi.setConfig({ testTimeout: 240_000 });

describe('the process that works on a sync run, killed before and after every call it makes', () => {
  const story = { acts, endings, openStory, outcomeOf, perform };
  killAtEveryCall(story, { open: (machine) => openGitOpsWorld({ machine }), meanwhile: playSyncing, least: 4 });
});
