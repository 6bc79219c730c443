import { describe, expect, it } from 'vitest';
import { chooseProvisioner } from '../../../shared/domain/target/choose-provisioner.ts';
import { decideProvision } from '../../../shared/domain/target/decide-provision.ts';
import { otherRequestName, requestName, targetNames } from '../../../shared/domain/target/made-names.ts';
import type { SeenOrphan, SeenProvision } from '../../../shared/domain/target/provision-effect.ts';
import { allotResources } from '../../../shared/domain/target/wanted-resources.ts';
import { aClaim, aClass, anOrphan, aTarget, leaving, now, ready, sandbox, sight, underway } from './provision-sight.ts';

const going = aClaim({ isDeleting: true });
const made = { ...ready, target: 'staging-dtc-dt' };
const bound = { isBindComplete: true, targetName: 'staging-dtc-dt' } as const;

interface Rule {
  readonly seen: Partial<SeenProvision>;
  readonly does: readonly string[];
  readonly waits?: string;
  readonly knocks?: number;
}

const endings: Record<string, Rule> = {
  'frees what was being made for it': {
    seen: { provision: underway },
    does: ['release-provision'],
    waits: 'Terminating',
  },
  'frees what was made and had no target yet': {
    seen: { provision: ready },
    does: ['release-provision'],
    waits: 'Terminating',
  },
  'waits until that has gone': { seen: { provision: leaving }, does: [], waits: 'Terminating' },
  'says when that cannot go': {
    seen: { provision: { ...leaving, isStuck: true, complaint: 'the namespace hangs' } },
    does: [],
    waits: 'UnableToTerminate',
  },
  'wakes the binder when nothing is left': { seen: {}, does: [], knocks: 1 },
  'wakes nobody where the binder has let go': { seen: { claim: { ...going, isHeld: false } }, does: [] },
  'deletes the target that was made and never bound, and lets that take the rest along': {
    seen: { provision: made, target: aTarget() },
    does: ['delete-target'],
    waits: 'Terminating',
  },
  'does so, too, where nobody had the time to say of what the target was made': {
    seen: { provision: ready, target: aTarget() },
    does: ['delete-target'],
    waits: 'Terminating',
  },
  'waits while that target goes': {
    seen: { provision: made, target: aTarget({ isDeleting: true }) },
    does: [],
    waits: 'Terminating',
  },
  'leaves the target of a bound claim to the binder': {
    seen: { claim: { ...going, ...bound }, provision: made, target: aTarget({ phase: 'Bound' }) },
    does: [],
  },
  'keeps everything where the class says Retain': {
    seen: { class: aClass({ reclaimPolicy: 'Retain' }), provision: ready },
    does: [],
  },
  'keeps the target, too, where the class says Retain': {
    seen: { class: aClass({ reclaimPolicy: 'Retain' }), provision: made, target: aTarget() },
    does: [],
  },
  'frees what was never used where the class is gone': {
    seen: { class: undefined, provision: underway },
    does: ['release-provision'],
    waits: 'Terminating',
  },
  'frees what is left of a target that was lost': {
    seen: { claim: { ...going, ...bound }, provision: made },
    does: ['release-provision'],
    waits: 'Terminating',
  },
  'keeps what is left of a lost target where the class is gone': {
    seen: { class: undefined, claim: { ...going, ...bound }, provision: made },
    does: [],
  },
};

describe('a claim that is deleted', () => {
  it.each(Object.entries(endings))('%s', (_rule, { seen, does, waits, knocks = 0 }) => {
    const step = decideProvision(sight({ claim: going, ...seen }), { now });

    expect(step.effects.map(({ do: what }) => what).filter((what) => what !== 'tell-claim')).toEqual(does);
    expect(step.next.kind === 'settled' ? undefined : step.next.wait.reason).toBe(waits);
    expect(step.knocks).toHaveLength(knocks);
  });
});

const orphans: readonly [string, Partial<SeenOrphan>, Partial<SeenProvision>, string | undefined][] = [
  ['Q26 AQ-07 goes where its class says Delete', {}, {}, 'discard-orphan'],
  ['AQ-08 stays where its class says Retain', { reclaimPolicy: 'Retain' }, {}, 'keep-orphan Retain'],
  ['AQ-09 stays where its class is gone', { reclaimPolicy: undefined }, {}, 'keep-orphan ClassNotFound'],
  ['is its target’s while there is one', { hasTarget: true }, {}, undefined],
  ['goes although a new claim has the same name', {}, { claim: aClaim() }, 'discard-orphan'],
  ['is no orphan while its claim is there', { claimUid: aClaim().uid }, { claim: aClaim() }, undefined],
  [
    'is no orphan where it does not say whose it is and is younger than the claim',
    { claimUid: undefined, created: now },
    { claim: aClaim() },
    undefined,
  ],
  [
    'is an orphan where it does not say whose it is and is older than the claim',
    { claimUid: undefined },
    { claim: aClaim() },
    'discard-orphan',
  ],
];

describe('what was made for a claim that is gone', () => {
  it.each(orphans)('%s', (_rule, orphan, seen, does) => {
    const { effects } = decideProvision(sight({ claim: undefined, orphans: [anOrphan(orphan)], ...seen }), { now });

    const found = effects.find(({ do: what }) => what.endsWith('-orphan'));
    expect(found === undefined ? undefined : `${found.do}${'why' in found ? ` ${found.why}` : ''}`).toBe(does);
  });
});

describe('who is asked for a claim', () => {
  const nobody = undefined;
  it.each([
    ['the provisioner of its class, for which it was marked', {}, {}, sandbox],
    ['AC-19 nobody where the class names another provisioner', {}, { provisioner: 'else.example/where' }, nobody],
    ['nobody where it was not marked', { provisioner: undefined }, {}, nobody],
    ['nobody where it names a target', { targetName: 'by-hand' }, {}, nobody],
    ['nobody where it has no class', { className: '' }, {}, nobody],
    [
      'the provisioner of its class when it is bound, because it may grow',
      { isBindComplete: true, provisioner: nobody },
      {},
      sandbox,
    ],
    ['whoever was asked when it is deleted', { isDeleting: true, targetName: 'by-hand' }, {}, sandbox],
  ])('%s', (_rule, claim, asking, expected) => {
    expect(chooseProvisioner(aClaim(claim), aClass(asking))).toBe(expected);
  });

  it('whoever was asked when it is deleted, although its class is gone', () => {
    expect(chooseProvisioner(aClaim({ isDeleting: true }), undefined)).toBe(sandbox);
  });

  it('AC-37 nobody where the class is gone', () => {
    expect(chooseProvisioner(aClaim(), undefined)).toBeUndefined();
  });
});

describe('the names of what is made for a claim', () => {
  const claim = { name: 'staging-dtc', uid: '0b1c2d3e-4f50-4000-8000-000000000001' };

  it('follow from the claim', () => {
    expect(requestName(claim)).toBe('staging-dtc-0b1c2');
    expect(otherRequestName(claim)).toBe('staging-dtc-0b1c2d3e4f504000');
    expect(targetNames(claim)).toEqual(['staging-dtc-dt', 'staging-dtc-0b1c2-dt']);
  });

  it('are cut to what others can make names of, without an end that is none', () => {
    const long = { ...claim, name: `${'a'.repeat(56)}.b-c.d` };

    for (const name of [requestName(long), ...targetNames(long)]) {
      expect(name.length).toBeLessThanOrEqual(63);
      expect(name).toMatch(/^a+(\.b)?-/);
    }
  });
});

describe('how much a class gives', () => {
  const asked = { requests: { cpu: '2', memory: '1Gi' } };

  it.each([
    ['what was asked for', asked, {}, { resources: asked }],
    ['its own measure to those who ask for nothing', undefined, { resources: asked }, { resources: asked }],
    ['no limit on what the maximum does not name', asked, { maximum: { requests: { cpu: 4 } } }, { resources: asked }],
    ['nothing where nobody says how much', undefined, {}, { resources: undefined }],
  ])('%s', (_rule, resources, parameters, expected) => {
    expect(allotResources(resources, aClass({ parameters }))).toEqual(expected);
  });

  it('never more than its maximum, in words that name what is too much', () => {
    const parameters = { maximum: { requests: { cpu: '1500m' } } };

    expect(allotResources(asked, aClass({ parameters }))).toEqual({
      reason: 'ResourcesExceedClass',
      message:
        'DeploymentTargetClass isolation-level-namespace gives at most 1500m of requests.cpu, and 2 is asked for',
    });
  });

  it.each([{ maximum: 3 }, { resources: { requests: ['cpu'] } }, { resources: { limits: { cpu: 'much' } } }])(
    'nothing where %j is no list of amounts',
    (parameters) => {
      expect(allotResources(asked, aClass({ parameters }))).toMatchObject({ reason: 'ClassParametersInvalid' });
    },
  );
});
