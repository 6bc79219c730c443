import { describe, expect, it } from 'vitest';
import {
  driftParts,
  explains,
  isMistold,
  isUnseen,
  lacksRows,
  type Watched,
} from '../../../shared/domain/upkeep/drift.ts';
import { pairUp } from '../../../shared/domain/upkeep/pair-up.ts';
import { afterTurn, isOver, newPass, restorePass, whoseTurn } from '../../../shared/domain/upkeep/pass.ts';

const now = Date.parse('2026-11-16T10:00:00Z');

const forgotten: Watched = {
  now,
  created: now - 3_600_000,
  version: '20',
  deleting: false,
  held: false,
  explained: false,
  served: '20',
  awaited: false,
};

describe('a resource without rows', () => {
  it('is wrong where nobody said why', () => {
    expect(lacksRows(forgotten)).toBe(true);
    expect(lacksRows({ ...forgotten, served: undefined })).toBe(true);
  });

  it('is no news where its function has seen it as it is, and a condition says what is wrong with it', () => {
    expect(lacksRows({ ...forgotten, explained: true })).toBe(false);
  });

  it.each([
    ['changed since its function looked', { served: '19' }],
    ['was never looked at', { served: undefined }],
  ])('is wrong where its condition is of before: it %s', (_what, but) => {
    expect(lacksRows({ ...forgotten, explained: true, ...but })).toBe(true);
  });

  it('is not asked after while its function waits for something', () => {
    expect(lacksRows({ ...forgotten, awaited: true })).toBe(false);
  });

  it('has a minute for its first step', () => {
    expect(lacksRows({ ...forgotten, created: now - 59_000 })).toBe(false);
    expect(lacksRows({ ...forgotten, created: now - 60_000 })).toBe(true);
  });

  it('may go, unless a finalizer of ours holds it', () => {
    expect(lacksRows({ ...forgotten, deleting: true })).toBe(false);
    expect(lacksRows({ ...forgotten, deleting: true, held: true })).toBe(true);
  });
});

describe('a change that nobody saw', () => {
  it('is one of a later version than its function has looked at, compared as numbers', () => {
    expect(isUnseen({ ...forgotten, version: '100', served: '99' })).toBe(true);
    expect(isUnseen({ ...forgotten, version: '100', served: '100' })).toBe(false);
  });

  it('is not told where the memory was cleared away, or somebody is on the way', () => {
    expect(isUnseen({ ...forgotten, served: undefined })).toBe(false);
    expect(isUnseen({ ...forgotten, version: '100', served: '99', awaited: true })).toBe(false);
  });
});

describe('AL-12 a deployment that says what Argo CD does not say', () => {
  const heard = { sync: 'Synced', revision: 'c0ffee', health: 'Healthy', operation: 'Succeeded' };

  it('is found by every word that it repeats', () => {
    expect(isMistold(heard, heard)).toBe(false);
    for (const word of Object.keys(heard)) expect(isMistold({ ...heard, [word]: '' }, heard)).toBe(true);
  });

  it('is none where nothing was heard', () => {
    expect(isMistold(heard, { sync: '', revision: '', health: '', operation: '' })).toBe(false);
  });

  it('is none where Argo CD names a revision without saying how it compares: that is not told', () => {
    expect(isMistold({ ...heard, sync: '', revision: '' }, { ...heard, sync: '' })).toBe(false);
  });
});

describe('conditions', () => {
  it.each([
    ['ErrorOccurred', 'True', true],
    ['ErrorOccurred', 'False', false],
    ['GitOpsDeploymentSyncRunErrorOccurred', 'True', true],
    ['ConnectionInitializationSucceeded', 'False', true],
    ['ConnectionInitializationSucceeded', 'True', false],
    ['SyncError', 'True', false],
  ])('%s %s explains a resource without rows: %s', (type, status, answer) => {
    expect(explains([{ type, status }])).toBe(answer);
  });
});

describe('the two sides of a range', () => {
  it('are paired by identity, whatever their order', () => {
    const pairs = pairUp(
      ['a1', 'b1', 'c1'],
      ['C', 'A', 'D'],
      (one) => one.charAt(0),
      (other) => other.toLowerCase(),
    );

    expect(pairs).toEqual({
      both: [
        ['a1', 'A'],
        ['c1', 'C'],
      ],
      onlyOne: ['b1'],
      onlyOther: ['D'],
    });
  });
});

describe('the parts of a pass', () => {
  it('take turns: one that is not done waits until all the others had theirs', () => {
    let state = newPass();
    const turns: (string | undefined)[] = [];

    for (let turn = 0; turn < driftParts.length + 2; turn += 1) {
      const part = whoseTurn(state) ?? 'operations';
      turns.push(part);
      state = afterTurn(state, part, {
        done: part !== 'operations' || turn > driftParts.length,
        after: 'x',
        looked: 1,
      });
    }

    expect(turns).toEqual([...driftParts, 'operations', 'operations']);
    expect(isOver(state)).toBe(true);
    expect(whoseTurn(state)).toBeUndefined();
  });

  it('go on where they stopped, and a part that an older pass did not know begins', () => {
    const { parts } = newPass();
    const { operations: _unknown, ...known } = parts;

    const state = restorePass({
      next: 'projects',
      parts: { ...known, projects: { done: false, after: 'here', looked: 7 } } as typeof parts,
    });

    expect(whoseTurn(state)).toBe('projects');
    expect(state.parts.projects.after).toBe('here');
    expect(state.parts.operations.done).toBe(false);
  });
});
