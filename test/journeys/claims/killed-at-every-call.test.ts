import { describe, vi } from 'vitest';
import { acts, endings, openStory, outcomeOf, perform } from '../../support/claim-story.ts';
import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { killAtEveryCall } from '../../support/kill-at-every-call.ts';

vi.setConfig({ testTimeout: 600_000 });

describe('the process that works on a claim of a class, killed before and after every call it makes', () => {
  const story = { acts, endings, openStory, outcomeOf, perform };
  killAtEveryCall(story, { open: (machine) => openGitOpsWorld({ machine }), least: 21 });
});
