import { describe, expect, it } from 'vitest';
import { deadTenants, isUseless, trulyOrphaned } from '../../../shared/domain/upkeep/garbage.ts';

const now = Date.parse('2026-11-16T10:00:00Z');
const hour = 3_600_000;

describe('an Operation object', () => {
  it.each([
    ['CN-13', 'without a row, and old', now - hour - 1, undefined, true],
    ['CN-13', 'without a row, and young', now - 1, undefined, false],
    ['CN-16', 'whose row waits', now - 9 * hour, { state: 'Waiting', created: now - 9 * hour }, false],
    ['CN-18', 'whose row is Completed and old', now - 9 * hour, { state: 'Completed', created: now - hour - 1 }, true],
    [
      'CN-19',
      'whose row is old and In_Progress',
      now - 9 * hour,
      { state: 'In_Progress', created: now - 9 * hour },
      false,
    ],
    ['CN-20', 'whose row is Completed and young', now - 9 * hour, { state: 'Completed', created: now - 1 }, false],
  ])('%s %s', (_id, _what, created, row, answer) => {
    expect(isUseless({ created, repair: false, row }, now)).toBe(answer);
  });

  it.each([
    ['Completed', true],
    ['Failed', true],
    ['Waiting', false],
    ['In_Progress', false],
  ])('CN-05 of a repair whose row is %s is useless at once: %s', (state, answer) => {
    expect(isUseless({ created: now, repair: true, row: { state, created: now } }, now)).toBe(answer);
  });
});

describe('a tenant with nothing left', () => {
  const tenant = { id: 'uid-1', namespace: 'team-a' };

  it('is dead where its namespace is gone, or another one has its name', () => {
    expect(deadTenants([tenant], new Map([['team-a', undefined]]))).toEqual([tenant]);
    expect(deadTenants([tenant], new Map([['team-a', 'uid-2']]))).toEqual([tenant]);
  });

  it('is only quiet where its namespace is there, and is left alone where nobody looked', () => {
    expect(deadTenants([tenant], new Map([['team-a', 'uid-1']]))).toEqual([]);
    expect(deadTenants([tenant], new Map())).toEqual([]);
  });
});

describe('a row without a mapping', () => {
  it('is no garbage while its resource lives', () => {
    const orphans = [
      { type: 'Application', id: 'living' },
      { type: 'Application', id: 'gone' },
    ] as const;

    expect(trulyOrphaned(orphans, new Set(['living']))).toEqual([{ type: 'Application', id: 'gone' }]);
  });
});
