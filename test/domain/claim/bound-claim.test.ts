import { describe, expect, it } from 'vitest';
import { decideClaim } from '../../../shared/domain/claim/decide-claim.ts';
import type { ObservedClaim } from '../../../shared/domain/claim/observed-claim.ts';
import {
  aBoundClaim,
  aBoundTarget,
  aClaimSight,
  aClass,
  aTarget,
  conditionOf,
  does,
  knocksOf,
  now,
  said,
  today,
  waitsFor,
} from './claim-sight.ts';

interface Rule {
  readonly given: Partial<ObservedClaim> & { readonly claim: ReturnType<typeof aBoundClaim> };
  readonly does: readonly string[];
  readonly says: string;
}

const rules: Record<string, Rule> = {
  'AC-13 keeps its target, and there is nothing to do': {
    given: { claim: aBoundClaim(), targets: [aBoundTarget()] },
    does: [],
    says: 'Bound',
  },
  'AC-02 sets phases right that are stale': {
    given: { claim: aBoundClaim({ phase: 'Pending' }), targets: [aBoundTarget({ phase: 'Available' })] },
    does: ['tell-target t1', 'tell-claim Bound'],
    says: 'Bound',
  },
  'writes its UID where a person wrote only its name': {
    given: { claim: aBoundClaim(), targets: [aBoundTarget({ claim: { name: 'web' } })] },
    does: ['reserve-target t1'],
    says: 'Bound',
  },
  'restores the pointer that somebody took away from its target': {
    given: { claim: aBoundClaim(), targets: [aBoundTarget({ claim: undefined })] },
    does: ['reserve-target t1'],
    says: 'Bound',
  },
  'AC-41 finds the only target that names it where it does not say which it had': {
    given: { claim: aBoundClaim({ targetName: '' }), targets: [aBoundTarget(), aTarget('t2')] },
    does: ['point-claim t1'],
    says: 'Bound',
  },
  'AC-42 binds to neither of two that name it': {
    given: {
      claim: aBoundClaim({ targetName: '' }),
      targets: [aBoundTarget(), aTarget('t2', { claim: { name: 'web', uid: 'web-uid' } })],
    },
    does: ['tell-claim Bound'],
    says: 'TargetAmbiguous',
  },
  'AC-42 keeps the one that it names of two that name it': {
    given: { claim: aBoundClaim(), targets: [aBoundTarget(), aTarget('t2', { claim: { name: 'web' } })] },
    does: [],
    says: 'Bound',
  },
  'AC-03 AC-40 loses a target that is gone, and takes no other though one is free': {
    given: { claim: aBoundClaim(), targets: [aTarget('t2')] },
    does: ['tell-claim Lost'],
    says: 'TargetLost',
  },
  'AC-03 loses it where no target names it': {
    given: { claim: aBoundClaim({ targetName: '', phase: '' }), targets: [aTarget('t2')] },
    does: ['tell-claim Lost'],
    says: 'TargetLost',
  },
  'AC-26 loses a target that belongs to another claim by now': {
    given: { claim: aBoundClaim(), targets: [aBoundTarget({ claim: { name: 'api', uid: 'api-uid' } })] },
    does: ['tell-claim Lost'],
    says: 'TargetLost',
  },
  'loses a target that was bound to a claim of the same name before it': {
    given: { claim: aBoundClaim(), targets: [aBoundTarget({ claim: { name: 'web', uid: 'old' } })] },
    does: ['tell-claim Lost'],
    says: 'TargetLost',
  },
  'does not take a target for its own that was made again under the same name': {
    given: { claim: aBoundClaim(), targets: [aTarget('t1', { created: now - 10_000 })] },
    does: ['tell-claim Lost'],
    says: 'TargetLost',
  },
  'does not take back a target that was released': {
    given: { claim: aBoundClaim(), targets: [aTarget('t1', { phase: 'Released' })] },
    does: ['tell-claim Lost'],
    says: 'TargetLost',
  },
  'once Lost, it does not take a target of that name which nobody gave to it': {
    given: { claim: aBoundClaim({ phase: 'Lost', said: [] }), targets: [aTarget('t1')] },
    does: ['tell-claim Lost'],
    says: 'TargetLost',
  },
  'once Lost, it is whole again with a target that a person gives to it': {
    given: { claim: aBoundClaim({ phase: 'Lost' }), targets: [aTarget('t1', { claim: { name: 'web' } })] },
    does: ['reserve-target t1', 'tell-target t1', 'tell-claim Bound'],
    says: 'Bound',
  },
  'keeps a target that is being deleted until it is gone, and writes nothing on it': {
    given: {
      claim: aBoundClaim(),
      targets: [aBoundTarget({ isDeleting: true, phase: 'Failed', claim: { name: 'web' } })],
    },
    does: [],
    says: 'Bound',
  },
  'AC-04 names the provisioner of its class': {
    given: {
      claim: aBoundClaim({ className: 'sandbox', provisioner: 'wrong' }),
      targets: [aBoundTarget({ className: 'sandbox' })],
      classes: [aClass('sandbox')],
    },
    does: ['mark-claim appstudio.redhat.com/devsandbox'],
    says: 'Bound',
  },
  'AC-04 names no provisioner without a class': {
    given: { claim: aBoundClaim({ provisioner: 'wrong' }), targets: [aBoundTarget()] },
    does: ['unmark-claim'],
    says: 'Bound',
  },
  'is not marked because it is bound': {
    given: {
      claim: aBoundClaim({ className: 'sandbox' }),
      targets: [aBoundTarget({ className: 'sandbox' })],
      classes: [aClass('sandbox')],
    },
    does: [],
    says: 'Bound',
  },
  'is held again where somebody took the finalizer away': {
    given: { claim: aBoundClaim({ isHeld: false }), targets: [aBoundTarget()] },
    does: ['hold-claim'],
    says: 'Bound',
  },
};

describe('a claim that was bound', () => {
  it.each(Object.entries(rules))('%s', (_rule, { given, ...expected }) => {
    const step = decideClaim(aClaimSight(given), today);

    // A condition that was not said before is told without a change of phase; that is not what these sentences are about.
    const same = `tell-claim ${given.claim.phase}`;
    expect(does(step).filter((one) => one !== same || expected.does.includes(same))).toEqual(expected.does);
    expect(conditionOf(step, 'Bound')?.reason).toBe(expected.says);
    expect(waitsFor(step)).toBe(expected.says === 'Bound' ? undefined : expected.says);
  });

  it('that is Lost says which target it had, and stays', () => {
    const step = decideClaim(aClaimSight({ claim: aBoundClaim() }), today);

    expect(conditionOf(step, 'ErrorOccurred')).toEqual({
      type: 'ErrorOccurred',
      status: 'True',
      reason: 'ErrorOccurred',
      message: 'DeploymentTarget t1, which this claim had, does not exist any more',
    });
    expect(does(step)).not.toContain('delete-claim');
  });

  it('tells its Environments when it is bound and when it is lost', () => {
    const environments = ['staging', 'test'];
    const knocks = ['environment.changed.v1 staging', 'environment.changed.v1 test'];

    expect(
      knocksOf(decideClaim(aClaimSight({ claim: aBoundClaim(), targets: [aBoundTarget()], environments }), today)),
    ).toEqual(knocks);
    expect(knocksOf(decideClaim(aClaimSight({ claim: aBoundClaim(), environments }), today))).toEqual(knocks);
  });

  it('wakes a target of its predecessor, which may not have heard that this one is gone', () => {
    const claim = aBoundClaim();
    const targets = [
      aBoundTarget(),
      aTarget('old', { claim: { name: 'web', uid: 'old' }, phase: 'Bound' }),
      aTarget('over', { claim: { name: 'web', uid: 'old' }, phase: 'Released' }),
    ];

    expect(knocksOf(decideClaim(aClaimSight({ claim, targets }), today))).toEqual(['target.changed.v1 old']);
  });

  it('wakes who was asked to make a target where it has found one that a person made', () => {
    const claim = aBoundClaim({ className: 'sandbox', provisioner: 'somebody' });
    const spare = aClaimSight({ claim, targets: [aBoundTarget({ className: 'sandbox' })] });
    const made = aClaimSight({ claim, targets: [aBoundTarget({ className: 'sandbox', provisionedBy: 'somebody' })] });

    expect(knocksOf(decideClaim(spare, today))).toEqual(['target.requested.v1 web']);
    expect(knocksOf(decideClaim(made, today))).toEqual([]);
  });

  describe('and asks for more than its target offers', () => {
    const claim = aBoundClaim({ className: 'sandbox', resources: { requests: { cpu: '2' } } });
    const target = aBoundTarget({
      className: 'sandbox',
      resources: { requests: { cpu: '1' } },
      provisionedBy: 'somebody',
    });
    const growing = aClass('sandbox', { allowsExpansion: true });

    it('has it enlarged where its class allows it', () => {
      const step = decideClaim(aClaimSight({ claim, targets: [target], classes: [growing] }), today);

      expect(conditionOf(step, 'ResourcesSufficient')).toMatchObject({ status: 'False', reason: 'Expanding' });
      expect(knocksOf(step)).toEqual(['target.requested.v1 web']);
      expect(waitsFor(step)).toBe('Expanding');
    });

    it.each([
      ['its class does not allow it', target, [aClass('sandbox')]],
      ['its class is gone', target, []],
      ['a person made the target', { ...target, provisionedBy: undefined }, [growing]],
    ])('stays as it is where %s', (_why, there, classes) => {
      const step = decideClaim(aClaimSight({ claim, targets: [there], classes }), today);

      expect(conditionOf(step, 'ResourcesSufficient')).toMatchObject({
        status: 'False',
        reason: 'ExpansionNotAllowed',
      });
      expect(knocksOf(step)).toEqual([]);
      expect(waitsFor(step)).toBeUndefined();
    });

    it('says after an hour that nothing came of it', () => {
      const waiting = { reason: 'Expanding', since: now - 4_000_000, deadline: now - 400_000 };
      const step = decideClaim(aClaimSight({ claim, targets: [target], classes: [growing] }), { now, waiting });

      expect(conditionOf(step, 'ResourcesSufficient')?.message).toMatch(/for more than an hour$/);
    });

    it('says that it has enough only where it said the opposite', () => {
      const enough = [{ ...target, resources: claim.resources }];
      const wanting = { ...claim, said: [...claim.said, said('ResourcesSufficient', 'False', 'Expanding', '')] };

      expect(
        conditionOf(decideClaim(aClaimSight({ claim, targets: enough }), today), 'ResourcesSufficient'),
      ).toBeUndefined();
      expect(
        conditionOf(decideClaim(aClaimSight({ claim: wanting, targets: enough }), today), 'ResourcesSufficient'),
      ).toMatchObject({ status: 'True' });
    });
  });
});
