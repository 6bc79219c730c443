import { describe, expect, it } from 'vitest';
import {
  decideRepository,
  type OverlayToDo,
  type RepositoryToDo,
} from '../../../shared/domain/binding/decide-repository.ts';
import { secondsToRetry } from '../../../shared/domain/binding/seconds-to-retry.ts';
import { today } from './a-binding.ts';

const overlay = (name: string, but: Partial<OverlayToDo> = {}): OverlayToDo => ({
  namespace: 'team',
  name,
  application: 'shop',
  environment: 'dev',
  snapshot: 'v1',
  isGone: false,
  requestedAt: 0,
  ...but,
});
const todo = (but: Partial<RepositoryToDo> = {}): RepositoryToDo => ({
  repository: { id: 'r1', namespace: 'team' },
  lately: { now: 100_000, commits: 0, lastAt: undefined },
  overlays: [overlay('one')],
  leaving: [],
  isWhole: false,
  isMore: false,
  ...but,
});
const again = { type: 'overlay.requested.v1', subject: { namespace: 'team', name: 'r1' } };

describe('what is done in a repository', () => {
  it('is everything at once, and whoever asked and is still there is told to look', () => {
    const overlays = [overlay('one'), overlay('old', { isGone: true })];
    const step = decideRepository(todo({ overlays, leaving: [{ name: 'api' }] }), today);

    expect(step.effects).toEqual([
      { do: 'render-overlay', binding: 'one', environment: 'dev', snapshot: 'v1' },
      { do: 'prune-overlay', binding: 'old', environment: 'dev' },
      { do: 'prune-component', component: 'api' },
    ]);
    expect(step.knocks).toEqual([
      { type: 'binding.changed.v1', subject: { namespace: 'team', name: 'one', application: 'shop' } },
    ]);
    expect(step.next).toEqual({ kind: 'settled' });
  });

  it('may be a comparison of all of it', () => {
    expect(decideRepository(todo({ overlays: [], isWhole: true }), today).effects).toEqual([
      { do: 'check-repository' },
    ]);
  });

  it('goes on at once where there is more than becomes one commit', () => {
    expect(decideRepository(todo({ isMore: true }), today).knocks).toContainEqual(again);
  });
});

describe('changes of one repository', () => {
  const [now, lastAt] = [100_000, 99_500];
  /** One that came while the last commit was made, and one that came behind it. */
  const overlays = [overlay('one', { requestedAt: lastAt - 1 }), overlay('two', { requestedAt: lastAt + 1 })];
  const busy = { now, commits: 3, lastAt };

  it('that come faster than they are written are gathered, two seconds from one commit to the next', () => {
    expect(decideRepository(todo({ overlays, lately: busy }), today)).toEqual({
      effects: [],
      conditions: [],
      knocks: [{ ...again, afterSeconds: 2 }],
      next: {
        kind: 'recheck',
        afterSeconds: 4,
        wait: {
          reason: 'Gathering',
          message: 'Many changes come at once, and are gathered for one commit',
          deadlineSeconds: 4,
        },
      },
    });
  });

  it.each<[string, Partial<RepositoryToDo>]>([
    ['that begin to come', { lately: { ...busy, commits: 2 } }],
    ['that come one after the other', { overlays: [overlay('two', { requestedAt: lastAt + 1 })] }],
    ['of which the last commit is two seconds old', { lately: { ...busy, now: lastAt + 2_000 } }],
    ['that fill a commit', { isMore: true }],
    ['after a while in which nothing came', { lately: { now, commits: 0, lastAt: undefined } }],
  ])('%s are written at once', (_which, but) => {
    const step = decideRepository(todo({ overlays, lately: busy, ...but }), today);

    expect(step.effects).not.toEqual([]);
    expect(step.next).toEqual({ kind: 'settled' });
  });

  it('are waited for no longer than two seconds behind a commit, however many still come', () => {
    const waits = [lastAt + 1, lastAt + 999, lastAt + 1_001, lastAt + 1_999, lastAt + 2_001].map(
      (at) => decideRepository(todo({ overlays, lately: { ...busy, now: at } }), today).knocks[0]?.afterSeconds,
    );

    expect(waits).toEqual([2, 2, 1, 1, undefined]);
  });

  it('do not hold up a comparison', () => {
    expect(decideRepository(todo({ overlays, lately: busy, isWhole: true }), today).effects).not.toEqual([]);
  });
});

describe('a repository that was refused', () => {
  it.each([
    [0, 15],
    [30, 15],
    [31, 15.5],
    [600, 300],
    [1_200, 600],
    [86_400, 600],
  ])('for %i seconds is left alone for %d', (seconds, left) => {
    expect(secondsToRetry({ since: 0, at: seconds * 1_000 })).toBe(left);
  });
});
