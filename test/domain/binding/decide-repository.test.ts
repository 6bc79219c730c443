import { describe, expect, it } from 'vitest';
import { decideRepository, type OverlayToDo } from '../../../shared/domain/binding/decide-repository.ts';
import { secondsToRetry } from '../../../shared/domain/binding/seconds-to-retry.ts';
import { today } from './a-binding.ts';

describe('what is done in a repository', () => {
  const overlay = (name: string, isGone: boolean): OverlayToDo => ({
    namespace: 'team',
    name,
    application: 'shop',
    environment: 'dev',
    snapshot: 'v1',
    isGone,
  });

  it('is everything at once, and whoever asked and is still there is told to look', () => {
    const todo = {
      overlays: [overlay('one', false), overlay('old', true)],
      leaving: [{ name: 'api' }],
      isWhole: false,
    };
    const step = decideRepository(todo, today);

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
    expect(decideRepository({ overlays: [], leaving: [], isWhole: true }, today).effects).toEqual([
      { do: 'check-repository' },
    ]);
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
