import { describe, expect, it } from 'vitest';
import type { SeenBinding } from '../../../shared/domain/binding/binding.ts';
import { isBefore } from '../../../shared/domain/binding/is-before.ts';
import {
  aBinding,
  aDeployment,
  aRenderedSight,
  aSight,
  conditionOf,
  decide,
  does,
  knocksOf,
  said,
  storedFor,
  toldTo,
  waitsFor,
} from './a-binding.ts';

const message =
  'SnapshotEnvironmentBinding first deploys application shop to environment dev already: delete one of the two';

describe('of two Bindings for one application and environment', () => {
  it.each([
    ['the older one', { name: 'z', created: 1 }, { name: 'a', created: 2 }, true],
    ['of the same age the first by name', { name: 'a', created: 1 }, { name: 'b', created: 1 }, true],
    ['not the younger one', { name: 'a', created: 2 }, { name: 'z', created: 1 }, false],
    ['not one and the same', { name: 'a', created: 1 }, { name: 'a', created: 1 }, false],
  ])('%s works', (_what, one, other, is) => {
    expect(isBefore(one, other)).toBe(is);
  });

  const second = aRenderedSight({
    rival: 'first',
    deployments: [aDeployment('web'), aDeployment('x', { owner: 'first' })],
  });

  it('the younger one lets its deployments go, and its row leaves, once', () => {
    const step = decide(second);
    const left = { ...second, deployments: [], stored: second.stored.map((row) => ({ ...row, isGone: true })) };

    expect(does(step)).toEqual(['leave-overlay binding-uid', 'remove-deployment web']);
    expect(knocksOf(step)).toEqual(['overlay.requested.v1 repo']);
    expect([does(decide(left)), decide(left).knocks]).toEqual([[], []]);
  });

  it('the younger one says so, to old clients as well, and looks again', () => {
    expect(decide(second)).toMatchObject({
      conditions: [
        { type: 'Reconciled', status: 'False', reason: 'DuplicateBinding', message },
        { type: 'ErrorOccurred', status: 'True', reason: 'ErrorOccurred', message },
      ],
      next: {
        kind: 'recheck',
        afterSeconds: 60,
        wait: { reason: 'DuplicateBinding', message, deadlineSeconds: 86_400 },
      },
    });
  });

  it('the younger one has nothing to do when it has said so', () => {
    const bindingConditions = [
      said('Reconciled', 'False', 'DuplicateBinding', message),
      said('ErrorOccurred', 'True', 'ErrorOccurred', message),
    ];
    const seen = aSight({ rival: 'first', binding: aBinding({ status: { bindingConditions } }) });

    expect(decide(seen).effects).toEqual([]);
  });

  it('the younger one goes on when the older is gone', () => {
    const bindingConditions = [said('Reconciled', 'False', 'DuplicateBinding', message)];
    const seen = aSight({ binding: aBinding({ status: { bindingConditions } }) });
    const leaving = { ...seen, stored: [storedFor(seen, { isGone: true })] };

    expect(does(decide(seen))).toEqual(['want-overlay v1']);
    expect(does(decide(leaving))).toEqual(['want-overlay v1']);
    expect(conditionOf(toldTo(aRenderedSight({ binding: seen.binding })).bindingConditions, 'Reconciled')).toMatch(
      /^True/,
    );
  });

  it('the older one works and wakes those behind it, each once', () => {
    const step = decide(aSight({ followers: ['second', 'third', 'second'] }));

    expect(does(step)).toEqual(['want-overlay v1']);
    expect(knocksOf(step)).toEqual([
      'binding.changed.v1 second',
      'binding.changed.v1 third',
      'overlay.requested.v1 repo',
    ]);
    expect(step.knocks[0]?.subject).toEqual({ namespace: 'team', name: 'second', application: 'shop' });
  });
});

describe('a Binding that has no row of its own yet', () => {
  it('wakes nobody: it is in nobody s way', () => {
    expect(decide(aSight({ snapshot: undefined, followers: ['second'] })).knocks).toEqual([]);
  });
});

describe('a Binding that was made again under its name', () => {
  const [old] = aRenderedSight({ binding: aBinding({ uid: 'old-uid', generation: 7 }) }).stored;
  const again = (stored: SeenBinding['stored']): SeenBinding =>
    aSight({ stored, deployments: [aDeployment('web', { owner: 'old-uid' })] });

  it('shares nothing with the first: the row of that one leaves, and its own is asked for', () => {
    const step = decide(again(old === undefined ? [] : [old]));

    expect(does(step)).toEqual(['leave-overlay old-uid', 'want-overlay v1']);
    expect(knocksOf(step)).toEqual(['overlay.requested.v1 repo']);
  });

  it('waits for the deployments of the first to be gone, and touches none of them', () => {
    const own = storedFor(aSight());
    const step = decide(again(old === undefined ? [own] : [{ ...old, isGone: true }, own]));

    expect(does(step)).toEqual([]);
    expect(waitsFor(step)).toBe('DeploymentLeaving');
  });

  it('leaves the rows of several, and asks each repository once', () => {
    const rows = ['c', 'a', 'b'].map((uid) => ({
      ...storedFor(aSight()),
      uid,
      repositoryId: uid === 'b' ? 'other' : 'repo',
    }));
    const step = decide(aSight({ binding: undefined, stored: rows }));

    expect(does(step)).toEqual(['leave-overlay a', 'leave-overlay b', 'leave-overlay c']);
    expect(knocksOf(step)).toEqual(['overlay.requested.v1 repo', 'overlay.requested.v1 other']);
  });
});
