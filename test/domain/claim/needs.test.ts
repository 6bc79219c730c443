import { describe, expect, it } from 'vitest';
import { decideClaim } from '../../../shared/domain/claim/decide-claim.ts';
import { isInLine, neededClasses, needsNamespace, needsProvision } from '../../../shared/domain/claim/needs.ts';
import { aBoundClaim, aBoundTarget, aClaim, aClaimSight, aClass, aTarget, today } from './claim-sight.ts';

const ofClass = aClaim({ className: 'sandbox' });
const boundOfClass = aBoundClaim({ className: 'sandbox' });
const target = aBoundTarget({ className: 'sandbox' });
const free = aTarget('t1', { className: 'sandbox' });

describe('what the binder asks for before it decides', () => {
  it.each([
    ['nothing for a claim that takes a free target', ofClass, [free], []],
    ['the class of a claim for which nothing fits', ofClass, [], ['sandbox']],
    ['no class where the claim has none', aClaim(), [], []],
    ['nothing for a bound claim', boundOfClass, [target], []],
    ['the class of a bound claim that is marked', { ...boundOfClass, provisioner: 'x' }, [target], ['sandbox']],
    [
      'the class of a bound claim that has grown',
      { ...boundOfClass, resources: { requests: { cpu: '1' } } },
      [target],
      ['sandbox'],
    ],
    ['the class of the target of a claim that goes', aBoundClaim({ isDeleting: true }), [target], ['sandbox']],
    ['no class for one that is held by others only', aBoundClaim({ isDeleting: true, isHeld: false }), [target], []],
    ['the own class of a marked claim that goes', { ...ofClass, isDeleting: true, provisioner: 'x' }, [], ['sandbox']],
    ['nothing for a claim that lost its target', boundOfClass, [], []],
  ])('%s', (_what, claim, targets, classes) => {
    expect(neededClasses({ claim, targets })).toEqual(classes);
  });

  it.each([
    ['not where two pointers are all there is to write', ofClass, [free], false],
    ['where a provisioner would be asked', ofClass, [], true],
    ['where a claim goes', { ...ofClass, isDeleting: true }, [], true],
    ['not for a claim without a class', aClaim(), [], false],
  ])('whether the namespace goes: %s', (_what, claim, targets, needed) => {
    expect(needsNamespace({ claim, targets })).toBe(needed);
  });

  it.each([
    ['not while the claim stays', { ...ofClass, provisioner: 'x' }, [], false],
    ['where a marked claim goes', { ...ofClass, provisioner: 'x', isDeleting: true }, [], true],
    ['not where it was never marked', { ...ofClass, isDeleting: true }, [], false],
    [
      'not while the target stands that was made of it',
      aBoundClaim({ isDeleting: true, provisioner: 'x' }),
      [aBoundTarget({ provisionedBy: 'x' })],
      false,
    ],
  ])('what the provisioner made: %s', (_what, claim, targets, needed) => {
    expect(needsProvision({ claim, targets })).toBe(needed);
  });
});

describe('a claim stands in line for a target', () => {
  it.each([
    ['where any would do', aClaim(), [], true],
    ['where it names one', aClaim({ targetName: 't1' }), [], true],
    ['where its class does not exist', ofClass, [], true],
    ['not where somebody makes one for it', ofClass, [aClass('sandbox')], false],
    ['not where somebody was asked to', { ...ofClass, provisioner: 'x' }, [], false],
    ['not once it was bound', boundOfClass, [], false],
  ])('%s', (_when, claim, classes, waits) => {
    expect(isInLine(claim, decideClaim(aClaimSight({ claim, classes }), today))).toBe(waits);
  });
});
