import { describe, expect, it } from 'vitest';
import type { Condition } from '../../../shared/domain/core/condition.ts';
import { decideProvision } from '../../../shared/domain/target/decide-provision.ts';
import type { SeenProvision } from '../../../shared/domain/target/provision-effect.ts';
import { aClaim, aClass, aTarget, leaving, now, ready, refused, sight, underway } from './provision-sight.ts';

const grown = { requests: { cpu: '4' } };
const small = { requests: { cpu: '1' } };
const bound = { isBindComplete: true, targetName: 'staging-dtc-dt', phase: 'Bound' } as const;
const growing = { claim: aClaim({ ...bound, resources: grown }), class: aClass({ allowsExpansion: true }) };
const made = { ...ready, target: 'staging-dtc-dt' };

interface Rule {
  readonly seen: Partial<SeenProvision>;
  readonly does: readonly string[];
  /** The reason of the condition that is told, and of the wait; undefined: none. */
  readonly says?: string;
  readonly waits?: string;
  readonly knocks?: readonly string[];
}

const rules: Record<string, Rule> = {
  'AC-38 asks the provisioner of its class': {
    seen: {},
    does: ['ask-provisioner'],
    says: 'Provisioning',
    waits: 'Provisioning',
  },
  'AC-39 does not ask again while it is being made': {
    seen: { provision: underway },
    does: [],
    says: 'ProvisioningPending',
    waits: 'ProvisioningPending',
  },
  'asks again where the provisioner has more to do': {
    seen: { provision: { ...underway, isUnfinished: true } as typeof underway },
    does: ['ask-provisioner'],
    says: 'ProvisioningPending',
    waits: 'ProvisioningPending',
  },
  'tells why it cannot be made, and waits': {
    seen: { provision: refused },
    does: [],
    says: 'UnableToProvision',
    waits: 'UnableToProvision',
  },
  'Q21 AQ-01 makes a target of what is ready, and says of what it was made': {
    seen: { provision: ready },
    does: ['create-target staging-dtc-dt', 'attach-target staging-dtc-dt'],
    says: 'Provisioned',
    knocks: ['claim.changed.v1 staging-dtc'],
  },
  'asks for more before it makes a target, where the claim has grown meanwhile': {
    seen: { provision: { ...ready, isUnfinished: true } },
    does: ['ask-provisioner'],
    says: 'Updating',
    waits: 'Updating',
  },
  'Q22 AQ-05 makes no second target': {
    seen: { provision: made, target: aTarget() },
    does: [],
    says: 'Provisioned',
  },
  'finishes what a crash left between the target and the word about it': {
    seen: { provision: ready, target: aTarget() },
    does: ['attach-target staging-dtc-dt'],
    says: 'Provisioned',
    knocks: ['claim.changed.v1 staging-dtc'],
  },
  'AQ-05 asks for nothing where a person keeps a target for it': {
    seen: { target: aTarget({ name: 'by-hand', provisionedBy: undefined, claim: { name: 'staging-dtc' } }) },
    does: [],
  },
  'waits until the target that was made for it has gone before it has another one made': {
    seen: { provision: made, target: aTarget({ isDeleting: true }) },
    does: [],
    says: 'Terminating',
    waits: 'Terminating',
  },
  'waits until what was made for it has gone before it asks again': {
    seen: { provision: leaving },
    does: [],
    says: 'Terminating',
    waits: 'Terminating',
  },
  'begins nothing in a namespace that goes': {
    seen: { isNamespaceGoing: true },
    does: [],
  },
  'makes no target in a namespace that goes': {
    seen: { isNamespaceGoing: true, provision: ready },
    does: [],
  },
  'refuses more than its class gives': {
    seen: {
      claim: aClaim({ resources: grown }),
      class: aClass({ parameters: { maximum: { requests: { cpu: '2' } } } }),
    },
    does: [],
    says: 'ResourcesExceedClass',
  },
  'says when the parameters of its class make no sense': {
    seen: { class: aClass({ parameters: { resources: 'plenty' } }) },
    does: [],
    says: 'ClassParametersInvalid',
  },
  'leaves a bound claim alone whose target has enough': {
    seen: {
      claim: aClaim({ ...bound, resources: small }),
      provision: made,
      target: aTarget({ phase: 'Bound', resources: grown }),
    },
    does: [],
    says: 'Provisioned',
  },
  'hands the growth of a bound claim on': {
    seen: {
      ...growing,
      provision: { ...made, isUnfinished: true, resources: small },
      target: aTarget({ phase: 'Bound', resources: small }),
    },
    does: ['ask-provisioner'],
    says: 'Expanding',
    waits: 'Expanding',
  },
  'waits until more was given': {
    seen: {
      ...growing,
      provision: { ...made, resources: small },
      target: aTarget({ phase: 'Bound', resources: small }),
    },
    does: [],
    says: 'Expanding',
    waits: 'Expanding',
  },
  'enlarges the target when more was given': {
    seen: {
      ...growing,
      provision: { ...made, resources: grown },
      target: aTarget({ phase: 'Bound', resources: small }),
    },
    does: ['enlarge-target staging-dtc-dt'],
    says: 'Expanded',
    knocks: ['claim.changed.v1 staging-dtc'],
  },
  'does not grow where the class does not allow it': {
    seen: {
      ...growing,
      class: aClass(),
      provision: { ...made, resources: small },
      target: aTarget({ phase: 'Bound', resources: small }),
    },
    does: [],
    says: 'Provisioned',
  },
  'does not grow beyond its class': {
    seen: {
      ...growing,
      class: aClass({ allowsExpansion: true, parameters: { maximum: { requests: { cpu: '2' } } } }),
      provision: { ...made, resources: small },
      target: aTarget({ phase: 'Bound', resources: small }),
    },
    does: [],
    says: 'ResourcesExceedClass',
  },
  'frees what a bound claim did not need in the end': {
    seen: {
      claim: aClaim({ ...bound, targetName: 'by-hand' }),
      provision: underway,
      target: aTarget({ name: 'by-hand' }),
    },
    does: ['release-provision'],
  },
  'does not touch what belongs to another target': {
    seen: {
      claim: aClaim({ ...bound, targetName: 'by-hand' }),
      provision: { ...ready, target: 'another' },
      target: aTarget({ name: 'by-hand' }),
    },
    does: [],
  },
};

describe('a claim that needs a target made', () => {
  it.each(Object.entries(rules))('%s', (_rule, { seen, does, says, waits, knocks = [] }) => {
    const step = decideProvision(sight(seen), { now });

    expect(step.effects.filter(({ do: what }) => what !== 'tell-claim').map(inWords)).toEqual(does);
    expect(step.conditions.at(-1)?.reason).toBe(says);
    expect(step.next.kind === 'settled' ? undefined : step.next.wait.reason).toBe(waits);
    expect(step.knocks.map(({ type, subject }) => `${type} ${subject.name}`)).toEqual(knocks);
  });

  it('writes nothing where everything was said already', () => {
    const seen = sight({ provision: underway });
    const first = decideProvision(seen, { now });
    const said = first.conditions.map((one: Condition) => ({ ...one, lastTransitionTime: '2026-11-16T12:00:00Z' }));

    const second = decideProvision({ ...seen, claim: aClaim({ said }) }, { now });

    expect(first.effects).toEqual([{ do: 'tell-claim', at: now }]);
    expect(second.effects).toEqual([]);
  });

  it('looks again by itself where nobody would tell, and sleeps where somebody does', () => {
    const told = decideProvision(sight({ provision: underway }), { now });
    const untold = decideProvision(sight({ provision: { ...underway, wakesUs: false } as typeof underway }), { now });

    expect(told.next).toMatchObject({ kind: 'blocked', on: 'SpaceRequest staging-dtc-0b1c2' });
    expect(untold.next).toMatchObject({ kind: 'recheck', afterSeconds: 15 });
  });

  it('says when it takes longer than it should, and then looks again by itself', () => {
    const waiting = { reason: 'ProvisioningPending', since: now - 3_600_000, deadline: now };

    const { conditions, next } = decideProvision(sight({ provision: underway }), { now, waiting });

    expect(conditions[0]?.message).toBe('no cluster has room; this takes longer than it should');
    expect(next).toMatchObject({ kind: 'recheck', afterSeconds: 600 });
  });

  it('tells in a word of its own what no condition can hold', () => {
    const strange = { ...refused, reason: 'No luck!' } as typeof refused;

    expect(decideProvision(sight({ provision: strange }), { now }).conditions[0]?.reason).toBe('ProvisioningFailed');
  });
});

function inWords(effect: { readonly do: string; readonly name?: string }): string {
  return effect.name === undefined ? effect.do : `${effect.do} ${effect.name}`;
}
