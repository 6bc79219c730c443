import { describe, expect, it } from 'vitest';
import { decideClaim } from '../../../shared/domain/claim/decide-claim.ts';
import type { ObservedClaim } from '../../../shared/domain/claim/observed-claim.ts';
import type { Provision } from '../../../shared/domain/target/provision.ts';
import {
  aBoundClaim,
  aBoundTarget,
  aClaim,
  aClaimSight,
  aClass,
  aTarget,
  conditionOf,
  does,
  knocksOf,
  now,
  today,
  waitsFor,
} from './claim-sight.ts';

const gone = aClass('sandbox');
const kept = aClass('sandbox', { reclaimPolicy: 'Retain' });
const strange = aClass('sandbox', { reclaimPolicy: 'Recycle' });
const provisioner = gone.provisioner;
const standing = { what: 'SpaceRequest web', target: undefined, wakesUs: true } as const;
const underway: Provision = { ...standing, state: 'underway', reason: 'Making', message: '', isUnfinished: false };
const leaving: Provision = { ...standing, state: 'leaving', since: now, isStuck: false, complaint: '' };
const absent: Provision = { state: 'absent' };
const byUs = { name: 'web', uid: 'web-uid' };

const bound = aBoundClaim({ isDeleting: true });
const ofClass = aBoundClaim({ isDeleting: true, className: 'sandbox', provisioner });
const target = aBoundTarget({ className: 'sandbox', provisionedBy: provisioner });
const unbound = aClaim({ isDeleting: true });
const marked = aClaim({ isDeleting: true, className: 'sandbox', provisioner });

interface Rule {
  readonly given: Partial<ObservedClaim> & { readonly claim: ReturnType<typeof aClaim> };
  readonly does: readonly string[];
  readonly waits?: boolean;
}

const rules: Record<string, Rule> = {
  'AC-01 Retain: the target is released, and the claim goes': {
    given: { claim: ofClass, targets: [target], classes: [kept] },
    does: ['release-target t1', 'let-claim-go'],
  },
  'AC-01 Retain: what was made for it stays, also where the target was released a moment ago': {
    given: { claim: ofClass, targets: [], classes: [kept], provision: underway },
    does: ['let-claim-go'],
  },
  'without a class: the target is released, and the claim goes': {
    given: { claim: bound, targets: [aBoundTarget()] },
    does: ['release-target t1', 'let-claim-go'],
  },
  'a policy that nobody knows: nothing is deleted by mistake': {
    given: { claim: ofClass, targets: [target], classes: [strange] },
    does: ['release-target t1', 'let-claim-go'],
  },
  'AC-20 Delete: the target is deleted, and the claim waits for it': {
    given: { claim: ofClass, targets: [target], classes: [gone] },
    does: ['delete-target t1', 'tell-claim Bound'],
    waits: true,
  },
  'AC-20 Delete: while the target goes, the claim waits': {
    given: { claim: ofClass, targets: [{ ...target, isDeleting: true }], classes: [gone] },
    does: ['tell-claim Bound'],
    waits: true,
  },
  'AC-20 Delete: the target is gone, and so is what was behind it: the claim goes': {
    given: { claim: ofClass, classes: [gone], provision: absent },
    does: ['let-claim-go'],
  },
  'Delete: the target was torn away, and what was behind it still stands: that goes first': {
    given: { claim: ofClass, classes: [gone], provision: underway },
    does: ['tell-claim Bound'],
    waits: true,
  },
  'AC-21 the target is gone: the claim goes': {
    given: { claim: bound },
    does: ['let-claim-go'],
  },
  'the target belongs to another by now: it is left alone': {
    given: { claim: bound, targets: [aBoundTarget({ claim: { name: 'api', uid: 'api-uid' } })] },
    does: ['let-claim-go'],
  },
  'its class is missing: nobody knows what to do with the target, so it waits': {
    given: { claim: ofClass, targets: [target] },
    does: ['tell-claim Bound'],
    waits: true,
  },
  'AC-22 never bound: the claim goes': {
    given: { claim: unbound, targets: [aTarget('t1')] },
    does: ['let-claim-go'],
  },
  'AC-22 never bound, and marked for somebody whom we do not know: the claim goes': {
    given: { claim: marked, classes: [gone] },
    does: ['let-claim-go'],
  },
  'never bound, and something is being made for it: that goes first': {
    given: { claim: marked, classes: [gone], provision: underway },
    does: ['tell-claim '],
    waits: true,
  },
  'never bound, its class is gone, and something is being made for it: that goes first': {
    given: { claim: marked, provision: underway },
    does: ['tell-claim '],
    waits: true,
  },
  'never bound, and what was made is on its way out: it waits': {
    given: { claim: marked, classes: [gone], provision: leaving },
    does: ['tell-claim '],
    waits: true,
  },
  'never bound, but a target was made for it: Delete takes that with it': {
    given: { claim: marked, targets: [{ ...target, phase: 'Available' }], classes: [gone] },
    does: ['delete-target t1', 'tell-claim '],
    waits: true,
  },
  'never bound, but a target was made for it: Retain releases it': {
    given: { claim: marked, targets: [{ ...target, phase: 'Available' }], classes: [kept] },
    does: ['release-target t1', 'let-claim-go'],
  },
  'died before it was bound: the target that it kept is free again, not released': {
    given: { claim: unbound, targets: [aTarget('t1', { claim: byUs })] },
    does: ['free-target t1', 'let-claim-go'],
  },
  'a target that a person kept for it stays kept': {
    given: { claim: unbound, targets: [aTarget('t1', { claim: { name: 'web' } })] },
    does: ['let-claim-go'],
  },
  'bound by the original service, which wrote no claimRef: the target is released': {
    given: { claim: bound, targets: [aBoundTarget({ claim: undefined })] },
    does: ['release-target t1', 'let-claim-go'],
  },
  'died between the two writes of a release: only the claimRef is left to do': {
    given: { claim: bound, targets: [aBoundTarget({ phase: 'Released' })] },
    does: ['release-target t1', 'let-claim-go'],
  },
  'died after the release: the claim goes': {
    given: { claim: bound, targets: [aTarget('t1', { phase: 'Released' })] },
    does: ['let-claim-go'],
  },
  'others hold it: what is ours has been done': {
    given: { claim: aBoundClaim({ isDeleting: true, isHeld: false }), targets: [aBoundTarget()] },
    does: [],
  },
  'in a namespace that goes it lets go, and asks for no class': {
    given: { claim: ofClass, targets: [target], isNamespaceGoing: true },
    does: ['let-claim-go'],
  },
  'in a namespace that goes, what stands outside of it goes first': {
    given: { claim: marked, classes: [gone], provision: underway, isNamespaceGoing: true },
    does: ['tell-claim '],
    waits: true,
  },
};

describe('a claim that is being deleted', () => {
  it.each(Object.entries(rules))('%s', (_rule, { given, waits = false, ...expected }) => {
    const step = decideClaim(aClaimSight(given), today);

    expect(does(step)).toEqual(expected.does);
    expect(waitsFor(step)).toBe(waits ? 'Terminating' : undefined);
    if (waits) expect(step.next).toHaveProperty('wait.deadlineSeconds', 600);
  });

  it('says in the words of the reference that the class is missing', () => {
    const step = decideClaim(aClaimSight({ claim: ofClass, targets: [target] }), today);

    expect(conditionOf(step, 'ErrorOccurred')?.message).toBe('unable to locate matching DTClass for DT');
  });

  it('deletes the target that it had, and no other of that name', () => {
    const step = decideClaim(aClaimSight({ claim: ofClass, targets: [target], classes: [gone] }), today);

    expect(step.effects).toContainEqual({ do: 'delete-target', target: 't1', uid: 't1-uid' });
  });

  it('wakes the one who frees what was made for it', () => {
    const step = decideClaim(aClaimSight({ claim: marked, classes: [gone], provision: underway }), today);

    expect(knocksOf(step)).toEqual(['target.requested.v1 web']);
  });

  it('says that it takes long when it does', () => {
    const waiting = { reason: 'Terminating', since: now - 700_000, deadline: now - 100_000 };
    const step = decideClaim(aClaimSight({ claim: ofClass, targets: [target], classes: [gone] }), { now, waiting });

    expect(conditionOf(step, 'Bound')?.message).toMatch(/more than ten minutes by now$/);
  });

  it('tells its Environments that it goes', () => {
    const step = decideClaim(aClaimSight({ claim: bound, environments: ['staging'] }), today);

    expect(knocksOf(step)).toEqual(['environment.changed.v1 staging']);
  });
});

describe('a claim that is gone', () => {
  it('leaves word with its Environments, with targets that it had, and with who makes targets', () => {
    const targets = [aBoundTarget(), aTarget('awaits', { claim: { name: 'web' } })];
    const step = decideClaim({ ...aClaimSight({ targets, environments: ['staging'] }), claim: undefined }, today);

    expect(step.effects).toEqual([]);
    expect(knocksOf(step)).toEqual([
      'environment.changed.v1 staging',
      'target.changed.v1 t1',
      'target.requested.v1 web',
    ]);
  });

  it('does not wake a target that waits for it to be made: both would go on for ever', () => {
    const targets = [aTarget('awaits', { claim: { name: 'web' } })];
    const step = decideClaim({ ...aClaimSight({ targets }), claim: undefined }, today);

    expect(knocksOf(step)).toEqual(['target.requested.v1 web']);
  });
});
