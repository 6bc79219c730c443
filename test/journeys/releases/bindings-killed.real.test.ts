import type { IncomingMessage, ServerResponse } from 'node:http';
import { vi } from 'vitest';
import type { Watched } from '../../support/audited-connection.ts';
import { acts, endings, openStory, outcomeOf, perform } from '../../support/binding-story.ts';
import { startInterferingProxy } from '../../support/interfering-proxy.ts';
import { killAtEveryCall } from '../../support/kill-at-every-call.ts';
import { describeWithGit } from '../../support/needs-git.ts';
import { byHand, openReleaseWorld } from '../../support/release-world.ts';

vi.setConfig({ testTimeout: 600_000 });

describeWithGit(
  'the process that works on a Binding, killed before and after every call, those of git among them',
  () => {
    const git: Watched = { trouble: undefined };
    /** Whoever is dead neither asks nor hears an answer: its git has died with it. */
    const cutOff = (when: 'before' | 'after') => (request: IncomingMessage, response: ServerResponse) => {
      const { method = 'GET', url: path = '' } = request;
      if (git.trouble?.({ method, path }, when) === undefined) return false;
      response.destroy();
      return true;
    };
    const beforeGit = (server: string) =>
      startInterferingProxy(server, { before: cutOff('before'), after: cutOff('after') });

    killAtEveryCall(
      { acts, endings, openStory, outcomeOf, perform },
      {
        open: (machine) => openReleaseWorld({ ...byHand, machine, beforeGit }),
        only: ['reconcile-binding', 'render-overlay'],
        ways: [git],
        least: 11,
      },
    );
  },
);
