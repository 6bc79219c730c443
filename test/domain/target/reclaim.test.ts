import { describe, expect, it } from 'vitest';
import { decideReclaim, type SeenReclaim } from '../../../shared/domain/target/decide-reclaim.ts';
import { absent, aClass, aTarget, leaving, now, ready } from './provision-sight.ts';

const going = aTarget({ isDeleting: true });
const stuck = { ...leaving, since: now - 120_000, isStuck: true, complaint: 'SpaceRequest x cannot be removed' };
const said = {
  type: 'ErrorOccurred',
  status: 'True',
  reason: 'ErrorOccurred',
  message: 'SpaceRequest x cannot be removed',
  lastTransitionTime: '2026-11-16T12:00:00Z',
} as const;

interface Rule {
  readonly seen: Partial<SeenReclaim>;
  readonly does: readonly string[];
  readonly says?: string;
  readonly waits?: string;
}

const rules: Record<string, Rule> = {
  'AT-01 is held where its class says Delete': {
    seen: { target: aTarget({ isHeld: false }) },
    does: ['hold-target'],
  },
  'is left alone once it is held': { seen: {}, does: [] },
  'is not held where its class says Retain': {
    seen: { target: aTarget({ isHeld: false }), class: aClass({ reclaimPolicy: 'Retain' }) },
    does: [],
  },
  'is left alone while nobody knows its class': {
    seen: { target: aTarget({ isHeld: false }), class: undefined },
    does: [],
  },
  'is left to the binder where its class has a policy that nobody knows': {
    seen: { target: aTarget({ isHeld: false, phase: 'Released' }), class: aClass({ reclaimPolicy: 'Recycle' }) },
    does: [],
  },
  'is deleted when its claim was torn away': {
    seen: { target: aTarget({ phase: 'Released' }) },
    does: ['delete-target'],
  },
  'is held before it is deleted': {
    seen: { target: aTarget({ phase: 'Released', isHeld: false }) },
    does: ['hold-target', 'delete-target'],
  },
  'stays when its claim was torn away and its class says Retain': {
    seen: { target: aTarget({ phase: 'Released' }), class: aClass({ reclaimPolicy: 'Retain' }) },
    does: [],
  },
  'AT-04 goes where nothing is behind it': { seen: { target: going }, does: ['let-target-go'] },
  'goes where nothing is behind it, although its class is gone': {
    seen: { target: going, class: undefined },
    does: ['let-target-go'],
  },
  'frees what is behind it first, whatever its phase': {
    seen: { target: { ...going, phase: 'Bound' }, provision: ready },
    does: ['release-provision'],
    waits: 'Terminating',
  },
  'AT-05 leaves what is behind it where its class says Retain': {
    seen: { target: going, class: aClass({ reclaimPolicy: 'Retain' }), provision: ready },
    does: ['let-target-go'],
  },
  'leaves what is behind it where it has no class': {
    seen: { target: { ...going, className: '' }, class: undefined, provision: ready },
    does: ['let-target-go'],
  },
  'waits while its class is missing, because nobody knows what becomes of what is behind it': {
    seen: { target: going, class: undefined, provision: ready },
    does: ['tell-target'],
    says: 'failed to retrieve DeploymentTargetClass of DeploymentTarget',
    waits: 'ClassNotFound',
  },
  'waits while its class says something that nobody knows': {
    seen: { target: going, class: aClass({ reclaimPolicy: 'Recycle' }), provision: ready },
    does: ['tell-target'],
    says: 'unexpected reclaim policy value on DeploymentTargetClass',
    waits: 'ReclaimPolicyUnknown',
  },
  'AT-02 waits while that goes': { seen: { target: going, provision: leaving }, does: [], waits: 'Terminating' },
  'AT-02 has not failed before two minutes are over': {
    seen: { target: going, provision: { ...stuck, since: now - 119_000 } },
    does: ['tell-target'],
    says: 'SpaceRequest x cannot be removed',
    waits: 'UnableToTerminate',
  },
  'AT-02 has failed when two minutes are over and it cannot go': {
    seen: { target: going, provision: stuck },
    does: ['tell-target Failed'],
    says: 'SpaceRequest x cannot be removed',
    waits: 'UnableToTerminate',
  },
  'has not failed when two minutes are over and nobody says that it cannot go': {
    seen: { target: going, provision: { ...leaving, since: now - 600_000 } },
    does: [],
    waits: 'Terminating',
  },
  'says it once': {
    seen: { target: { ...going, phase: 'Failed', said: [said] }, provision: stuck },
    does: [],
    says: 'SpaceRequest x cannot be removed',
    waits: 'UnableToTerminate',
  },
  'goes on after it has failed': {
    seen: { target: { ...going, phase: 'Failed', said: [said] } },
    does: ['let-target-go'],
  },
  'tells what is wrong with what nobody looks at': {
    seen: { target: going, provision: { ...leaving, complaint: 'failed to find ConditionReady for SpaceRequest: x' } },
    does: ['tell-target'],
    says: 'failed to find ConditionReady for SpaceRequest: x',
    waits: 'Terminating',
  },
  'takes back what is no longer wrong': {
    seen: { target: { ...going, said: [said] }, provision: leaving },
    does: ['tell-target'],
    says: '',
    waits: 'Terminating',
  },
  'is gone already without its finalizer': {
    seen: { target: { ...going, isHeld: false }, provision: ready },
    does: [],
  },
  'is somebody else’s where another provisioner made it': {
    seen: { isOurs: false, target: { ...going, provisionedBy: 'else.example/where' } },
    does: [],
  },
  'AT-04 goes where a person made it and the original service held it': {
    seen: { isOurs: false, class: undefined, target: { ...going, provisionedBy: undefined } },
    does: ['let-target-go'],
  },
  'is left alone where a person made it': {
    seen: { isOurs: false, class: undefined, target: aTarget({ provisionedBy: undefined, phase: 'Released' }) },
    does: [],
  },
};

describe('a target', () => {
  it.each(Object.entries(rules))('%s', (_rule, { seen, does, says, waits }) => {
    const step = decideReclaim(
      { target: aTarget(), class: aClass(), isOurs: true, provision: absent, ...seen },
      { now },
    );

    const done = step.effects.map((effect) =>
      effect.do === 'tell-target' && effect.phase === 'Failed' ? 'tell-target Failed' : effect.do,
    );
    expect(done).toEqual(does);
    expect(step.conditions[0]?.message).toBe(says);
    expect(step.next.kind === 'settled' ? undefined : step.next.wait.reason).toBe(waits);
  });

  it('wakes its claim, which waits for it, when it goes', () => {
    const { knocks } = decideReclaim({ target: going, class: aClass(), isOurs: true, provision: absent }, { now });

    expect(knocks.map(({ type, subject }) => `${type} ${subject.name}`)).toEqual([
      'target.changed.v1 staging-dtc-dt',
      'claim.changed.v1 staging-dtc',
    ]);
  });

  it('AT-02 is looked at after thirty seconds, and later when something changes', () => {
    const early = decideReclaim({ target: going, class: aClass(), isOurs: true, provision: leaving }, { now });
    const late = decideReclaim({ target: going, class: aClass(), isOurs: true, provision: stuck }, { now });

    expect(early.next).toMatchObject({ kind: 'recheck', afterSeconds: 30 });
    expect(late.next).toMatchObject({ kind: 'blocked', on: stuck.what });
  });
});
