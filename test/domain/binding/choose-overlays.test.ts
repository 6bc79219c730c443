import { describe, expect, it } from 'vitest';
import { chooseOverlays, mostInOneCommit } from '../../../shared/domain/binding/choose-overlays.ts';

const asked = (name: string, environment: string, requestedAt: number) => ({ name, environment, requestedAt });
const many = (count: number) =>
  Array.from({ length: count }, (_each, index) => asked(`b${index}`, `e${index}`, 1_000 - index));
const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);

describe('what becomes one commit', () => {
  it('is all that waits', () => {
    const overlays = many(mostInOneCommit);

    expect(chooseOverlays(overlays)).toEqual({ chosen: overlays, isMore: false });
  });

  it('are those who wait longest, where there are too many', () => {
    const overlays = many(mostInOneCommit + 20);
    const { chosen, isMore } = chooseOverlays(overlays);

    expect(isMore).toBe(true);
    expect(names(chosen)).toEqual(names(overlays.slice(20)));
  });

  it('is never a part of what concerns one environment', () => {
    const pair = [asked('leaves', 'shared', 0), asked('comes', 'shared', 2_000)];
    const overlays = [...many(mostInOneCommit - 2), pair[0], ...many(40), pair[1]].flatMap((one) => one ?? []);
    const chosen = names(chooseOverlays(overlays).chosen);

    expect(chosen).toContain('leaves');
    expect(chosen).toContain('comes');
    expect(chosen.length).toBeLessThanOrEqual(mostInOneCommit);
  });

  it('is one environment, however many concern it', () => {
    const overlays = Array.from({ length: mostInOneCommit + 1 }, (_each, index) => asked(`b${index}`, 'shared', index));

    expect(chooseOverlays(overlays)).toEqual({ chosen: overlays, isMore: false });
  });

  it('comes to an end: nobody is left behind', () => {
    let left = [...many(350), ...many(120)];
    let rounds = 0;
    for (let isMore = true; isMore; rounds += 1) {
      const next = chooseOverlays(left);
      expect(next.chosen.length).toBeGreaterThan(0);
      left = left.filter((one) => !next.chosen.includes(one));
      isMore = next.isMore;
    }

    expect(left).toEqual([]);
    expect(rounds).toBeLessThan(10);
  });
});
