import { describe, expect, it } from 'vitest';
import { keepStatus } from '../../../shared/domain/status/keep.ts';
import { guestbook } from './fixtures.ts';

const everything = () => true;

describe('what is kept of a status', () => {
  it('CA-01 all that has a meaning', () => {
    const { reconciledAt, ...meaning } = guestbook;

    const { text, without } = keepStatus(guestbook, everything);

    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(meaning)));
    expect(without).toEqual([]);
  });

  it('is the same text for the same meaning, whenever it was looked at and in whatever order it came', () => {
    const again = Object.fromEntries(Object.entries({ ...guestbook, reconciledAt: 'later' }).toReversed());

    expect(keepStatus({ ...guestbook, ...again }, everything)).toEqual(keepStatus(guestbook, everything));
    expect(keepStatus(again as unknown as typeof guestbook, everything)).toEqual(keepStatus(guestbook, everything));
  });

  it.each([
    ['health', { health: { status: 'Degraded', message: '' } }],
    ['a message', { health: { status: 'Healthy', message: 'well' } }],
    ['the revision', { sync: { status: 'Synced', revision: 'beef' } }],
    ['a condition', { conditions: [{ type: 'SyncError', message: 'it broke' }] }],
    ['the end of a sync', { operationState: undefined }],
  ])('%s makes another text', (_what, but) => {
    expect(keepStatus({ ...guestbook, ...but }, everything).text).not.toBe(keepStatus(guestbook, everything).text);
  });

  it('leaves out the bulk where it is too large, and says so', () => {
    const { text, without } = keepStatus(guestbook, (given) => !given.includes('"resources":[{"group"'));

    expect(without).toEqual(['resources', 'history']);
    expect(JSON.parse(text)).toMatchObject({ sync: { status: 'Synced' }, operationState: { phase: 'Succeeded' } });
  });

  it('always ends with something that fits', () => {
    expect(keepStatus(guestbook, (text) => text.length < 3)).toEqual({ text: '{}', without: ['everything'] });
  });
});
