import { describe, expect, it } from 'vitest';
import { type ProbedCondition, say, sayResolved } from '../../../shared/domain/gitops/probed-conditions.ts';

const wrong = { type: 'ErrorOccurred', status: 'True', reason: 'ErrorOccurred', message: 'no path' } as const;
const at = (now: string, said: Omit<ProbedCondition, 'lastProbeTime' | 'lastTransitionTime'>) => ({
  ...said,
  lastProbeTime: now,
  lastTransitionTime: now,
});

describe('BV-01 RS-09 a condition', () => {
  it('is added where it is not there', () => {
    expect(say([], wrong, 't1')).toEqual([at('t1', wrong)]);
  });

  it('that is said already changes nothing, so that nothing is written', () => {
    const before = [at('t1', wrong)];

    expect(say(before, wrong, 't2')).toBe(before);
  });

  it.each([
    ['status', { status: 'Unknown' }],
    ['reason', { reason: 'Other' }],
    ['message', { message: 'no repository' }],
  ] as const)('with another %s is replaced, with the time of now', (_field, but) => {
    expect(say([at('t1', wrong)], { ...wrong, ...but }, 't2')).toEqual([at('t2', { ...wrong, ...but })]);
  });

  it('leaves the others alone, and stays at its place', () => {
    const other = at('t0', { ...wrong, type: 'SyncError' });

    const after = say([at('t1', wrong), other], { ...wrong, message: 'else' }, 't2');

    expect(after.map(({ type }) => type)).toEqual(['ErrorOccurred', 'SyncError']);
    expect(after[1]).toBe(other);
  });

  it('is resolved with its type in the reason and nothing in the message', () => {
    const resolved = { type: 'ErrorOccurred', status: 'False', reason: 'ErrorOccurredResolved', message: '' } as const;

    const after = sayResolved([at('t1', wrong)], 'ErrorOccurred', 't2');

    expect(after).toEqual([at('t2', resolved)]);
    expect(sayResolved(after, 'ErrorOccurred', 't3')).toBe(after);
  });

  it('RT-09 that was never there needs no resolving', () => {
    const none: ProbedCondition[] = [];

    expect(sayResolved(none, 'ErrorOccurred', 't1')).toBe(none);
  });
});
