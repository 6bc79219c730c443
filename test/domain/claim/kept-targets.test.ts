import { describe, expect, it } from 'vitest';
import type { Claim } from '../../../shared/domain/claim/claim.ts';
import { decideClaim } from '../../../shared/domain/claim/decide-claim.ts';
import type { Target } from '../../../shared/domain/target/target.ts';
import { aClaim, aClaimSight, aTarget, conditionOf, does, today } from './claim-sight.ts';

const byHand = { name: 'web' };
const byUs = { name: 'web', uid: 'web-uid' };

interface Rule {
  readonly given: { readonly claim: Claim; readonly targets: readonly Target[] };
  readonly does: readonly string[];
  /** Reason of the condition Bound. */
  readonly says: string;
}

/** The four writes of a binding, in their order, without those that are done already. */
const binds = (target: string, ...but: string[]): string[] =>
  [`reserve-target ${target}`, `point-claim ${target}`, `tell-target ${target}`, 'tell-claim Bound'].filter(
    (one) => !but.includes(one),
  );

const rules: Record<string, Rule> = {
  'defect 40 finishes a binding that stopped after the target was kept, before it looks for another': {
    given: { claim: aClaim(), targets: [aTarget('free', { created: 0 }), aTarget('half', { claim: byUs })] },
    does: binds('half', 'reserve-target half'),
    says: 'Bound',
  },
  'defect 40 finishes a binding that stopped after the target said Bound': {
    given: { claim: aClaim(), targets: [aTarget('half', { claim: byUs, phase: 'Bound' })] },
    does: binds('half', 'reserve-target half', 'tell-target half'),
    says: 'Bound',
  },
  'what it kept itself goes before what a person kept for it': {
    given: { claim: aClaim(), targets: [aTarget('a', { claim: byHand }), aTarget('b', { claim: byUs })] },
    does: binds('b', 'reserve-target b'),
    says: 'Bound',
  },
  'AC-42 two targets that name it: it takes neither': {
    given: {
      claim: aClaim(),
      targets: [aTarget('b', { claim: byHand }), aTarget('a', { claim: byHand }), aTarget('c')],
    },
    does: ['tell-claim Pending'],
    says: 'TargetAmbiguous',
  },
  'AC-42 two targets that name it, and it names one: that one': {
    given: {
      claim: aClaim({ targetName: 'b' }),
      targets: [aTarget('b', { claim: byHand }), aTarget('a', { claim: byHand })],
    },
    does: binds('b'),
    says: 'Bound',
  },
  'a target of another class that a person kept for it does not stop it from taking a better one': {
    given: { claim: aClaim(), targets: [aTarget('odd', { claim: byHand, className: 'sandbox' }), aTarget('t1')] },
    does: binds('t1'),
    says: 'Bound',
  },
  'and where there is none it says what is wrong with that one': {
    given: { claim: aClaim(), targets: [aTarget('odd', { claim: byHand, className: 'sandbox' })] },
    does: ['tell-claim Pending'],
    says: 'TargetMismatch',
  },
};

describe('a claim for which targets are kept', () => {
  it.each(Object.entries(rules))('%s', (_rule, { given, ...expected }) => {
    const step = decideClaim(aClaimSight(given), today);
    const turned = decideClaim(aClaimSight({ ...given, targets: given.targets.toReversed() }), today);

    expect(does(step)).toEqual(expected.does);
    expect(conditionOf(step, 'Bound')?.reason).toBe(expected.says);
    expect(turned).toEqual(step);
  });
});
