import { describe, expect, it } from 'vitest';
import { decideClaim } from '../../../shared/domain/claim/decide-claim.ts';
import type { ObservedClaim } from '../../../shared/domain/claim/observed-claim.ts';
import {
  aClaim,
  aClaimSight,
  aClass,
  aTarget,
  conditionOf,
  does,
  nowhere,
  said,
  today,
  waitsFor,
} from './claim-sight.ts';

const byHand = { name: 'web' };
const byUs = { name: 'web', uid: 'web-uid' };
const another = { name: 'api', uid: 'api-uid' };
const sandbox = aClass('sandbox');
const bound = ['reserve-target', 'point-claim', 'tell-target', 'tell-claim'] as const;

interface Rule {
  readonly given: Partial<ObservedClaim> & { readonly claim: ReturnType<typeof aClaim> };
  readonly does: readonly string[];
  /** Reason of the condition Bound. */
  readonly says: string;
}

/** The four writes of a binding, in their order. */
const binds = (target: string, ...but: string[]): string[] =>
  bound
    .map((one) => (one === 'tell-claim' ? 'tell-claim Bound' : `${one} ${target}`))
    .filter((one) => !but.includes(one));

const rules: Record<string, Rule> = {
  'AC-06 AC-31 takes a free target that fits, writes the target first and tells both': {
    given: { claim: aClaim(), targets: [aTarget('t1')] },
    does: binds('t1'),
    says: 'Bound',
  },
  'is held from the first look on, but not before the target is kept': {
    given: { claim: aClaim({ isHeld: false }), targets: [aTarget('t1')] },
    does: ['reserve-target t1', 'hold-claim', 'point-claim t1', 'tell-target t1', 'tell-claim Bound'],
    says: 'Bound',
  },
  'AC-07 without target, class and anything that fits it is Pending and unmarked': {
    given: { claim: aClaim() },
    does: ['tell-claim Pending'],
    says: 'WaitingForTarget',
  },
  'AC-05 with a class and nothing that fits it is marked for the provisioner of the class': {
    given: { claim: aClaim({ className: 'sandbox' }), classes: [sandbox] },
    does: ['mark-claim appstudio.redhat.com/devsandbox', 'tell-claim Pending'],
    says: 'WaitingForProvisioner',
  },
  'AC-37 with a class that does not exist it is Pending and says so': {
    given: { claim: aClaim({ className: 'sandbox' }) },
    does: ['tell-claim Pending'],
    says: 'ClassNotFound',
  },
  'AC-16 marked, it takes the target that was made for it': {
    given: {
      claim: aClaim({ className: 'sandbox', provisioner: sandbox.provisioner, phase: 'Pending' }),
      targets: [
        aTarget('free', { className: 'sandbox' }),
        aTarget('t1', { className: 'sandbox', claim: byUs, phase: '' }),
      ],
      classes: [sandbox],
    },
    does: binds('t1', 'reserve-target t1'),
    says: 'Bound',
  },
  'marked, it leaves a free target alone: what is made for it would be left over': {
    given: {
      claim: aClaim({ className: 'sandbox', provisioner: sandbox.provisioner, phase: 'Pending' }),
      targets: [aTarget('free', { className: 'sandbox' })],
      classes: [sandbox],
    },
    does: ['tell-claim Pending'],
    says: 'WaitingForProvisioner',
  },
  'marked for another than its class names, it is marked anew': {
    given: { claim: aClaim({ className: 'sandbox', provisioner: 'somebody' }), classes: [sandbox] },
    does: ['mark-claim appstudio.redhat.com/devsandbox', 'tell-claim Pending'],
    says: 'WaitingForProvisioner',
  },
  'marked without a class, it loses the mark and takes a free target': {
    given: { claim: aClaim({ provisioner: 'somebody' }), targets: [aTarget('t1')] },
    does: ['reserve-target t1', 'point-claim t1', 'unmark-claim', 'tell-target t1', 'tell-claim Bound'],
    says: 'Bound',
  },
  'AC-08 naming a target that does not exist it is Pending without an error': {
    given: { claim: aClaim({ targetName: 't1' }), targets: [aTarget('t2')] },
    does: ['tell-claim Pending'],
    says: 'TargetNotFound',
  },
  'AC-09 AC-30 they name each other: bound whatever the class, and the UID is written': {
    given: {
      claim: aClaim({ targetName: 't1', className: 'sandbox' }),
      targets: [aTarget('t1', { claim: byHand, phase: 'Pending', access: nowhere })],
    },
    does: binds('t1'),
    says: 'Bound',
  },
  'AC-10 naming a free target that fits it gets it': {
    given: { claim: aClaim({ targetName: 't2' }), targets: [aTarget('t1'), aTarget('t2')] },
    does: binds('t2'),
    says: 'Bound',
  },
  'AC-11 AC-15 naming a target of another claim it waits, though a free one stands by': {
    given: { claim: aClaim({ targetName: 't1' }), targets: [aTarget('t1', { claim: another }), aTarget('t2')] },
    does: ['tell-claim Pending'],
    says: 'TargetTaken',
  },
  'AC-15 a claimRef with the UID of a predecessor of the same name is another claim': {
    given: { claim: aClaim({ targetName: 't1' }), targets: [aTarget('t1', { claim: { name: 'web', uid: 'old' } })] },
    does: ['tell-claim Pending'],
    says: 'TargetTaken',
  },
  'AC-27 AC-32 without a name it does not take what another claim has': {
    given: { claim: aClaim(), targets: [aTarget('t1', { claim: another })] },
    does: ['tell-claim Pending'],
    says: 'WaitingForTarget',
  },
  'AC-28 AC-29 it takes only the target that it names, whatever else names it or is free': {
    given: { claim: aClaim({ targetName: 't1' }), targets: [aTarget('t2', { claim: byHand }), aTarget('t3')] },
    does: ['tell-claim Pending'],
    says: 'TargetNotFound',
  },
  'AC-12 AC-23 naming a free target of another class it is not bound': {
    given: { claim: aClaim({ targetName: 't1', className: 'sandbox' }), targets: [aTarget('t1')] },
    does: ['tell-claim Pending'],
    says: 'TargetMismatch',
  },
  'AC-24 a released target is not given away again by itself': {
    given: { claim: aClaim(), targets: [aTarget('t1', { phase: 'Released' })] },
    does: ['tell-claim Pending'],
    says: 'WaitingForTarget',
  },
  'AC-24 not even where it is named': {
    given: { claim: aClaim({ targetName: 't1' }), targets: [aTarget('t1', { phase: 'Released' })] },
    does: ['tell-claim Pending'],
    says: 'TargetReleased',
  },
  'AC-25 a target that nobody can reach is no match': {
    given: { claim: aClaim(), targets: [aTarget('t1', { access: nowhere, phase: 'Pending' })] },
    does: ['tell-claim Pending'],
    says: 'WaitingForTarget',
  },
  'AC-25 naming one that nobody can reach it waits for it': {
    given: { claim: aClaim({ targetName: 't1' }), targets: [aTarget('t1', { access: nowhere, phase: 'Pending' })] },
    does: ['tell-claim Pending'],
    says: 'TargetNotReady',
  },
  'waits for a target that is kept for it and cannot be reached yet, and asks nobody for another': {
    given: {
      claim: aClaim({ className: 'sandbox' }),
      targets: [aTarget('t1', { className: 'sandbox', claim: byHand, access: nowhere })],
      classes: [sandbox],
    },
    does: ['tell-claim Pending'],
    says: 'TargetNotReady',
  },
  'does not take a target that is being deleted': {
    given: { claim: aClaim(), targets: [aTarget('t1', { isDeleting: true })] },
    does: ['tell-claim Pending'],
    says: 'WaitingForTarget',
  },
  'naming a target that is being deleted it waits for its successor': {
    given: { claim: aClaim({ targetName: 't1' }), targets: [aTarget('t1', { isDeleting: true })] },
    does: ['tell-claim Pending'],
    says: 'TargetNotReady',
  },
};

describe('a claim without a target', () => {
  it.each(Object.entries(rules))('%s', (_rule, { given, ...expected }) => {
    const step = decideClaim(aClaimSight(given), today);

    expect(does(step)).toEqual(expected.does);
    expect(conditionOf(step, 'Bound')?.reason).toBe(expected.says);
    expect(waitsFor(step)).toBe(expected.says === 'Bound' ? undefined : expected.says);
  });

  it.each(Object.entries(rules))('any order: %s', (_rule, { given, ...expected }) => {
    const step = decideClaim(aClaimSight({ ...given, targets: (given.targets ?? []).toReversed() }), today);

    expect(does(step)).toEqual(expected.does);
  });

  it('AC-17 a target that the binder chose is marked so', () => {
    const step = decideClaim(aClaimSight({ targets: [aTarget('t1')] }), today);

    expect(step.effects).toContainEqual({ do: 'point-claim', target: 't1', byController: true });
  });

  it('AC-33 a target that the user named is not', () => {
    const step = decideClaim(aClaimSight({ claim: aClaim({ targetName: 't1' }), targets: [aTarget('t1')] }), today);

    expect(step.effects).toContainEqual({ do: 'point-claim', target: 't1', byController: false });
  });

  it('begins nothing in a namespace that goes', () => {
    const claim = aClaim({ className: 'sandbox', isHeld: false });
    const step = decideClaim(aClaimSight({ claim, classes: [sandbox], isNamespaceGoing: true }), today);

    expect(step).toEqual({ effects: [], conditions: [], knocks: [], next: { kind: 'settled' } });
  });

  it('takes back its own error when it is bound', () => {
    const claim = aClaim({ phase: 'Pending', said: [said('ErrorOccurred', 'True', 'ErrorOccurred', 'something')] });
    const step = decideClaim(aClaimSight({ claim, targets: [aTarget('t1')] }), today);

    expect(conditionOf(step, 'ErrorOccurred')).toMatchObject({ status: 'False', reason: 'Success', message: '' });
  });

  it('speaks of no error where there never was one', () => {
    const step = decideClaim(aClaimSight({ targets: [aTarget('t1')] }), today);

    expect(conditionOf(step, 'ErrorOccurred')).toBeUndefined();
  });
});
