import { describe, vi } from 'vitest';
import { acts, endings, openStory, outcomeOf, perform } from '../../support/deployment-story.ts';
import { openGitOpsWorld } from '../../support/gitops-world.ts';
import { killAtEveryCall } from '../../support/kill-at-every-call.ts';
import { finishDeletions } from '../../support/play-argo-cd.ts';

vi.setConfig({ testTimeout: 240_000 });

describe('the process that works on a GitOpsDeployment, killed before and after every call it makes', () => {
  const story = { acts, endings, openStory, outcomeOf, perform };
  killAtEveryCall(story, {
    open: (machine) => openGitOpsWorld({ machine }),
    meanwhile: finishDeletions,
    least: 6,
  });
});
