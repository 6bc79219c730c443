import { describe, vi } from 'vitest';
import { acts, endings, openStory, outcomeOf, perform } from '../../support/credential-story.ts';
import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { killAtEveryCall } from '../../support/kill-at-every-call.ts';

vi.setConfig({ testTimeout: 240_000 });

describe('the process that works on a repository credential, killed before and after every call it makes', () => {
  const story = { acts, endings, openStory, outcomeOf, perform };
  const repositories = { ask: async () => ({ kind: 'listed' }) as const };
  killAtEveryCall(story, { open: (machine) => openGitOpsWorld({ machine, world: { repositories } }), least: 6 });
});
