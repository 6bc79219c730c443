import { describe, expect, it } from 'vitest';
import type { Said } from '../../../shared/domain/core/condition.ts';
import { decideTarget, isNews, type SeenTarget } from '../../../shared/domain/target/decide-target.ts';
import { needsPolicy } from '../../../shared/domain/target/hold.ts';
import { aBoundClaim, aClaim, aTarget, nowhere, seen } from './a-target.ts';

const ours = { name: 'dtc', uid: 'dtc-uid' };
const now = Date.parse('2026-03-01T00:00:00Z');
const moment = { now };
const rested = { phase: 'Available', said: [] } as const;
const sandbox = 'appstudio.redhat.com/devsandbox';

function wakes(given: SeenTarget): string[] {
  return decideTarget(given, moment).knocks.map(({ type, subject }) => `${type} ${subject.namespace}/${subject.name}`);
}

function says(given: SeenTarget): string[] {
  return decideTarget(given, moment).conditions.map(({ type, status, reason }) => `${type} ${status} ${reason}`);
}

function said(type: string, status: 'True' | 'False', reason: string, message = ''): Said {
  return { type, status, reason, message, lastTransitionTime: '2026-01-01T00:00:00Z' };
}

describe('a change of a target wakes', () => {
  it('AC-18 AC-36 nobody, where nobody waits and nobody has it', () => {
    expect(wakes(seen())).toEqual([]);
  });

  it('AC-34 the claim that its claimRef names', () => {
    expect(wakes(seen({ target: aTarget({ claim: ours }) }))).toEqual(['claim.changed.v1 team/dtc']);
  });

  it('AC-35 the claims that wait for it or for one like it, each once', () => {
    const given = seen({ target: aTarget({ claim: ours }), waiting: ['old', 'dtc', 'old'] });

    expect(wakes(given)).toEqual(['claim.changed.v1 team/dtc', 'claim.changed.v1 team/old']);
  });

  it('the claim that had it, when somebody points it elsewhere', () => {
    const known = { uid: 'dt-uid', version: '9', claimName: 'before' };
    const given = seen({ target: aTarget({ claim: ours }), claim: aClaim(), known });

    expect(wakes(given)).toEqual(['claim.changed.v1 team/dtc', 'claim.changed.v1 team/before']);
  });

  it('case B the claim and the Environments that had it, when it is gone', () => {
    const known = { uid: 'dt-uid', version: '9', claimName: 'dtc' };
    const given = seen({ target: undefined, known, environments: ['staging'], waiting: ['hopes'] });

    expect(wakes(given)).toEqual([
      'claim.changed.v1 team/dtc',
      'claim.changed.v1 team/hopes',
      'environment.changed.v1 team/staging',
    ]);
  });

  it('the Environments of its claim', () => {
    const target = aTarget({ claim: ours, phase: 'Bound' });
    const given = seen({ target, claim: aBoundClaim(), environments: ['dev', 'test'] });

    expect(wakes(given).slice(1)).toEqual(['environment.changed.v1 team/dev', 'environment.changed.v1 team/test']);
  });

  it.each([
    ['is being deleted', { isDeleting: true, isHeld: true }],
    ['is Released', { phase: 'Released', isHeld: true }],
    ['is not held until what is behind it is gone', { phase: 'Available', isHeld: false }],
  ] as const)('its provisioner, where one made it and it %s', (_when, given) => {
    expect(wakes(seen({ target: aTarget({ provisionedBy: sandbox, ...given }) }))).toEqual([
      'target.released.v1 team/dt',
    ]);
    expect(wakes(seen({ target: aTarget(given) }))).toEqual([]);
  });

  it('its provisioner, in the same look that finds that its claim is gone', () => {
    const target = aTarget({ provisionedBy: sandbox, isHeld: true, phase: 'Bound', claim: ours, className: 'made' });

    expect(wakes(seen({ target, policy: 'Delete' }))).toContain('target.released.v1 team/dt');
  });

  it('nobody a second time: what was told of this version was told', () => {
    const target = aTarget({ ...rested, claim: { name: 'dtc' } });
    const given = seen({ target, claim: aClaim(), waiting: ['other'], environments: ['dev'] });

    expect(wakes(given)).not.toEqual([]);
    expect(wakes({ ...given, known: { uid: 'dt-uid', version: '10', claimName: 'dtc' } })).toEqual([]);
    expect(wakes({ ...given, known: { uid: 'dt-uid', version: '12', claimName: 'dtc' } })).toEqual([]);
  });
});

describe('a target is news', () => {
  const known = { uid: 'dt-uid', version: '10', claimName: undefined };

  it.each([
    ['when it was not known', aTarget(), undefined, true],
    ['when it is gone', undefined, known, true],
    ['when it is of a later version', aTarget({ version: '100' }), known, true],
    ['when it is another one of the same name', aTarget({ uid: 'new' }), known, true],
    ['not when it is as it was', aTarget(), known, false],
    ['not when the memory is newer than the copy', aTarget({ version: '9' }), known, false],
    ['not when there is none and never was', undefined, undefined, false],
  ])('%s', (_when, target, memory, expected) => {
    expect(isNews({ target, known: memory })).toBe(expected);
  });
});

describe('a target says', () => {
  it.each([
    [
      'that nothing says how to reach it',
      seen({ target: aTarget({ access: nowhere }) }),
      ['Available False NotReachable'],
    ],
    ['that its claim is gone', seen({ target: aTarget({ phase: 'Bound' }) }), ['Available False Released']],
    [
      'that it is kept for a claim that is not there',
      seen({ target: aTarget({ claim: { name: 'dtc' } }) }),
      ['Available False ClaimNotFound'],
    ],
    [
      'that it is kept for a claim that has another target',
      seen({ target: aTarget({ claim: { name: 'dtc' } }), claim: aBoundClaim({ targetName: 'other' }) }),
      ['Available False ClaimElsewhere'],
    ],
    ['nothing, where it is free and always was', seen(), []],
    [
      'that it is free, where it said otherwise before',
      seen({ target: aTarget({ said: [said('Available', 'False', 'NotReachable')] }) }),
      ['Available True Available'],
    ],
    [
      'that a claim has it, where it said otherwise before',
      seen({
        target: aTarget({ claim: ours, said: [said('Available', 'False', 'ClaimNotFound')] }),
        claim: aBoundClaim(),
      }),
      ['Available False Bound'],
    ],
    ['nothing while it goes', seen({ target: aTarget({ access: nowhere, isDeleting: true }) }), []],
  ])('%s', (_what, given, expected) => {
    expect(says(given)).toEqual(expected);
  });

  it.each([
    ['unexpected', 'unexpected reclaim policy value on DeploymentTargetClass'],
    ['unreadable', 'failed to retrieve DeploymentTargetClass of DeploymentTarget'],
  ] as const)('in the words of the reference that its class is %s, and looks again', (policy, message) => {
    const target = aTarget({ claim: ours, phase: 'Bound', className: 'odd' });
    const { conditions, next } = decideTarget(seen({ target, policy }), moment);

    expect(conditions).toContainEqual({ type: 'ErrorOccurred', status: 'True', reason: 'ErrorOccurred', message });
    expect(next).toMatchObject({ kind: 'recheck', afterSeconds: 15, wait: { reason: 'ClassNotUnderstood' } });
  });

  it('no error, and looks again, while its class does not exist', () => {
    const target = aTarget({ claim: ours, phase: 'Bound', className: 'lost' });
    const { conditions, next } = decideTarget(seen({ target, policy: 'missing' }), moment);

    expect(conditions.map(({ type }) => type)).toEqual(['Available']);
    expect(next).toMatchObject({ kind: 'recheck', wait: { reason: 'ClassNotFound' } });
  });

  it('takes its own error back when it is over, and leaves that of the reclaimer', () => {
    const mine = said(
      'ErrorOccurred',
      'True',
      'ErrorOccurred',
      'unexpected reclaim policy value on DeploymentTargetClass',
    );
    const another = said('ErrorOccurred', 'True', 'ErrorOccurred', 'failed to find ConditionReady for SpaceRequest: x');

    expect(says(seen({ target: aTarget({ said: [mine] }) }))).toEqual(['ErrorOccurred False Success']);
    expect(says(seen({ target: aTarget({ said: [another] }) }))).toEqual([]);
  });
});

describe('a target is looked at again', () => {
  it.each([
    ['while the binder keeps it for a claim that is not bound yet', aTarget({ claim: ours }), aClaim()],
    ['while a person keeps it for a claim that is not bound yet', aTarget({ claim: { name: 'dtc' } }), aClaim()],
    ['while a person keeps it for a claim that is not there', aTarget({ claim: { name: 'dtc' } }), undefined],
    [
      'while a person keeps it for a claim that has another',
      aTarget({ claim: { name: 'dtc' } }),
      aBoundClaim({ targetName: 'x' }),
    ],
    [
      'while it is Released and names a claim that is there',
      aTarget({ claim: ours, phase: 'Released' }),
      aBoundClaim(),
    ],
    ['until its claim has written its name again', aTarget({ phase: 'Bound' }), aBoundClaim()],
  ])('%s', (_while, target, claim) => {
    const { next } = decideTarget(seen({ target, claim }), moment);

    expect(next).toMatchObject({ kind: 'recheck', wait: { reason: 'ClaimNotBound' } });
  });

  it.each([
    ['it is free', aTarget(), undefined],
    ['it is bound', aTarget({ claim: ours }), aBoundClaim()],
    ['it was used and names nobody', aTarget({ phase: 'Released' }), undefined],
    ['it has Failed', aTarget({ claim: ours, phase: 'Failed' }), aClaim()],
    ['it goes', aTarget({ claim: ours, isDeleting: true }), aClaim()],
  ])('not where %s: whatever changes that is told', (_where, target, claim) => {
    expect(decideTarget(seen({ target, claim }), moment).next).toEqual({ kind: 'settled' });
  });
});

describe('the class of a target is asked', () => {
  it.each([
    ['when the claim that had it is gone', aTarget({ className: 'c', claim: ours, phase: 'Bound' }), undefined, true],
    [
      'when it is Released and names a claim that is gone',
      aTarget({ className: 'c', claim: ours, phase: 'Released' }),
      undefined,
      true,
    ],
    [
      'when it was made for a claim that is gone',
      aTarget({ className: 'c', claim: ours, provisionedBy: sandbox }),
      undefined,
      true,
    ],
    ['not when it has none', aTarget({ claim: ours, phase: 'Bound' }), undefined, false],
    ['not while its claim is there', aTarget({ className: 'c', claim: ours, phase: 'Bound' }), aBoundClaim(), false],
    ['not when it names nobody', aTarget({ className: 'c', phase: 'Bound' }), undefined, false],
    ['not while it goes', aTarget({ className: 'c', claim: ours, phase: 'Bound', isDeleting: true }), undefined, false],
    ['not when it has Failed', aTarget({ className: 'c', claim: ours, phase: 'Failed' }), undefined, false],
  ])('%s', (_when, target, claim, expected) => {
    expect(needsPolicy(target, claim)).toBe(expected);
  });
});
