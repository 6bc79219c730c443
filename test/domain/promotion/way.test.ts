import { describe, expect, it } from 'vitest';
import type { Run, SeenPromotion } from '../../../shared/domain/promotion/promotion.ts';
import {
  aBinding,
  anActiveSight,
  anAutomatedRun,
  anEndedStep,
  anEnvironment,
  aRun,
  aStep,
  aStored,
  conditionOf,
  decide,
  digest,
  does,
  knocksOf,
  later,
  now,
  toldTo,
  waitsFor,
} from './a-promotion.ts';

const graph = (...described: string[]) => described.map((one) => anEnvironment(one));
const example = graph('poc', 'dev<poc', 'staging<dev manual', 'prod-1<staging', 'prod-2<staging manual');
const passed = (...names: string[]) => names.map((name, place) => anEndedStep(name, { step: place + 1 }));
const success = 'end-run one-uid-0001 Success Promoted';

interface Rule {
  readonly seen: Partial<SeenPromotion>;
  readonly does: readonly string[];
}

const rules: Record<string, Rule> = {
  'AP-08 makes a Binding where there is none': {
    seen: {},
    does: ['create-binding shop-dev-binding v1', 'begin-step 1 dev'],
  },
  'AP-10 and AP-13 uses the Binding of the pair, whatever its name': {
    seen: { bindings: [aBinding('dev', { name: 'mine', snapshot: 'v0', promotionUid: '' })] },
    does: ['promote-binding mine v1', 'begin-step 1 dev'],
  },
  'AP-11 leaves the Binding of another environment alone': {
    seen: { bindings: [aBinding('prod')] },
    does: ['create-binding shop-dev-binding v1', 'begin-step 1 dev'],
  },
  'AP-12 gives its Binding another name where somebody else has the usual one': {
    seen: { takenNames: ['shop-dev-binding'] },
    does: [`create-binding shop-dev-binding-${digest('shop/dev').slice(0, 10)} v1`, 'begin-step 1 dev'],
  },
  'takes the oldest of two Bindings of a pair': {
    seen: { bindings: [aBinding('dev', { name: 'young', created: now }), aBinding('dev', { name: 'old' })] },
    does: ['promote-binding old v1', 'begin-step 1 dev'],
  },
  'takes the younger one where the older is being deleted': {
    seen: { bindings: [aBinding('dev', { name: 'young', created: now }), aBinding('dev', { isDeleting: true })] },
    does: ['promote-binding young v1', 'begin-step 1 dev'],
  },
  'starts in all of its roots at once, in the order of their names': {
    seen: { run: anAutomatedRun(['b', 'a', 'b']), environments: graph('a', 'b', 'c<a') },
    does: ['create-binding shop-a-binding v1', 'create-binding shop-b-binding v1', 'begin-step 1 a', 'begin-step 1 b'],
  },
  'goes on to every automated child when the whole depth has succeeded': {
    seen: {
      run: anAutomatedRun(['a', 'b']),
      environments: graph('a', 'b', 'c<a', 'd<b', 'e<b manual'),
      steps: [anEndedStep('a'), anEndedStep('b')],
    },
    does: ['create-binding shop-c-binding v1', 'create-binding shop-d-binding v1', 'begin-step 2 c', 'begin-step 2 d'],
  },
  'goes no further with a snapshot that was made again under the name of the one it began with': {
    seen: {
      run: anAutomatedRun(['a']),
      environments: graph('a', 'b<a'),
      steps: [anEndedStep('a')],
      snapshot: { uid: 'v1-uid-2', application: 'shop', components: ['web'] },
    },
    does: ['end-run one-uid-0001 Failure SnapshotReplaced'],
  },
  'that follows another one goes nowhere with a snapshot that was made again under the name of what that one brought': {
    seen: {
      run: anAutomatedRun(['a'], { cause: 'PromotionRun first', snapshotUid: 'v1-uid-0' }),
      environments: graph('a'),
    },
    does: ['end-run one-uid-0001 Failure SnapshotReplaced'],
  },
  'waits for the slower environment of a depth': {
    seen: {
      run: anAutomatedRun(['a', 'b']),
      environments: graph('a', 'b', 'c<a'),
      steps: [anEndedStep('a'), aStep('b')],
      bindings: [aBinding('b')],
    },
    does: [],
  },
  'starts nothing after a failure, but lets the others of the depth come to their end': {
    seen: {
      run: anAutomatedRun(['a', 'b']),
      environments: graph('a', 'b', 'c<a'),
      steps: [anEndedStep('a', { status: 'failed' }), aStep('b')],
      bindings: [aBinding('b')],
    },
    does: [],
  },
  'ends with the failure when all of the depth have ended': {
    seen: {
      run: anAutomatedRun(['a', 'b']),
      environments: graph('a', 'b', 'c<a'),
      steps: [anEndedStep('a', { status: 'failed' }), anEndedStep('b')],
    },
    does: ['end-run one-uid-0001 Failure NotHealthy'],
  },
  'example 6: ends with success where only manual environments follow': {
    seen: { run: anAutomatedRun(['poc']), environments: example, steps: passed('poc', 'dev') },
    does: [success],
  },
  'example 9 and 10: after a manual one, automated children follow in a run of their own': {
    seen: {
      run: aRun({ goal: { kind: 'manual', target: 'staging' } }),
      environments: example,
      steps: passed('staging'),
    },
    does: ['start-followers prod-1', success],
  },
  'starts those that follow once': {
    seen: {
      run: aRun({ goal: { kind: 'manual', target: 'staging' } }),
      environments: example,
      steps: passed('staging'),
      followers: ['one-one-uid-'],
    },
    does: [success],
  },
  'has none that follow after a failure': {
    seen: {
      run: aRun({ goal: { kind: 'manual', target: 'staging' } }),
      environments: example,
      steps: [anEndedStep('staging', { status: 'failed' })],
    },
    does: ['end-run one-uid-0001 Failure NotHealthy'],
  },
  'leaves out environments that others promote to': {
    seen: { run: anAutomatedRun(['a']), environments: graph('a', 'b<a external', 'c<a'), steps: passed('a') },
    does: ['create-binding shop-c-binding v1', 'begin-step 2 c'],
  },
  'never comes to an environment twice': {
    seen: { run: anAutomatedRun(['a']), environments: graph('a', 'b<a', 'c<b'), steps: passed('a', 'c', 'b') },
    does: [success],
  },
  'never goes into a circle': {
    seen: { run: anAutomatedRun(['a']), environments: graph('a<c', 'b<a', 'c<b'), steps: passed('a') },
    does: [success],
  },
  'comes to an environment that was hung below one that it has passed long ago': {
    seen: { run: anAutomatedRun(['a']), environments: graph('a', 'b<a', 'late<a'), steps: passed('a', 'b') },
    does: ['create-binding shop-late-binding v1', 'begin-step 3 late'],
  },
  'does not come to one that was taken away from below it': {
    seen: { run: anAutomatedRun(['a']), environments: graph('a', 'b'), steps: passed('a') },
    does: [success],
  },
  'goes no further without its application': {
    seen: {
      run: anAutomatedRun(['a']),
      environments: graph('a', 'b<a'),
      steps: passed('a'),
      application: undefined,
    },
    does: ['end-run one-uid-0001 Failure ApplicationNotFound'],
  },
  'goes no further without its snapshot': {
    seen: { run: anAutomatedRun(['a']), environments: graph('a', 'b<a'), steps: passed('a'), snapshot: undefined },
    does: ['end-run one-uid-0001 Failure SnapshotNotFound'],
  },
  'that was started by itself goes to those of its roots that still are what they were': {
    seen: { run: anAutomatedRun(['a', 'b', 'c', 'd']), environments: graph('a', 'b manual', 'c external') },
    does: ['create-binding shop-a-binding v1', 'begin-step 1 a'],
  },
  'that a Snapshot has started begins at the roots as they are when its turn comes': {
    seen: { run: anAutomatedRun(['dev', 'lab']), environments: graph('dev', 'lab<dev', 'new') },
    does: [
      'create-binding shop-dev-binding v1',
      'create-binding shop-new-binding v1',
      'begin-step 1 dev',
      'begin-step 1 new',
    ],
  },
  'does not pass by a manual environment that has come to stand before one of its roots': {
    seen: { run: anAutomatedRun(['dev', 'lab']), environments: graph('dev', 'gate<dev manual', 'lab<gate') },
    does: ['create-binding shop-dev-binding v1', 'begin-step 1 dev'],
  },
  'does not begin where a parent is named that is not there': {
    seen: { run: anAutomatedRun(['dev', 'prod']), environments: graph('dev', 'prod<stagign') },
    does: ['create-binding shop-dev-binding v1', 'begin-step 1 dev'],
  },
  'that follows another one leaves what has come to stand behind its first environments for later': {
    seen: {
      run: anAutomatedRun(['b', 'c'], { cause: 'PromotionRun before' }),
      environments: graph('a manual', 'b<a', 'gate<b manual', 'c<gate'),
    },
    does: ['create-binding shop-b-binding v1', 'begin-step 1 b'],
  },
  'that a person made begins where that person said': {
    seen: { run: anAutomatedRun(['dev', 'lab'], { cause: '' }), environments: graph('dev', 'lab<dev') },
    does: [
      'create-binding shop-dev-binding v1',
      'create-binding shop-lab-binding v1',
      'begin-step 1 dev',
      'begin-step 1 lab',
    ],
  },
  'fails where no environment takes a snapshot by itself any more': {
    seen: { run: anAutomatedRun(['lab']), environments: graph('gate manual', 'lab<gate') },
    does: ['end-run one-uid-0001 Failure NoAutomatedEnvironment'],
  },
};

describe('a PromotionRun whose turn it is', () => {
  it.each(Object.entries(rules))('%s', (_rule, { seen, does: done }) => {
    expect(does(decide(anActiveSight(seen)))).toEqual(done);
  });

  const obstacles: [string, Run, Partial<SeenPromotion>, string][] = [
    [
      'AP-07 no target',
      aRun({ goal: { kind: 'manual', target: '' } }),
      {},
      'TargetEnvironmentInvalid/Target Environment has invalid value.',
    ],
    [
      'AP-15 an unknown snapshot',
      aRun(),
      { snapshot: undefined },
      'SnapshotNotFound/Snapshot v1 does not exist: create it, or promote another one',
    ],
    [
      'no application',
      aRun(),
      { application: undefined },
      'ApplicationNotFound/Application shop does not exist: create it, or correct spec.application',
    ],
    [
      'an unknown environment',
      aRun(),
      { environments: [] },
      'EnvironmentNotFound/Environment dev does not exist: create it, or promote to another one',
    ],
    [
      'an environment that goes',
      aRun(),
      { environments: graph('dev leaving') },
      'EnvironmentLeaving/Environment dev is being deleted: promote to another one',
    ],
    [
      'an environment of others',
      aRun(),
      { environments: graph('dev external') },
      'ExternalController/Environment dev is promoted to by integration: its spec.deploymentController says so',
    ],
    [
      'a circle',
      aRun(),
      { environments: graph('dev<qa', 'qa<dev') },
      'ParentCycle/Environment dev is its own parent by way of dev, qa: give one of them another parentEnvironment',
    ],
    [
      'a manual environment by an automated run',
      anAutomatedRun(['dev'], { cause: '' }),
      { environments: graph('dev manual') },
      'EnvironmentNotAutomated/Environment dev has the deploymentStrategy Manual: use manualPromotion to promote to it',
    ],
    [
      'one of two that is manual, named by a person',
      anAutomatedRun(['dev', 'qa'], { cause: '' }),
      { environments: graph('dev', 'qa manual') },
      'EnvironmentNotAutomated/Environment qa has the deploymentStrategy Manual: use manualPromotion to promote to it',
    ],
    [
      'none of those left that it was started for',
      anAutomatedRun(['dev']),
      { environments: graph('dev manual') },
      'EnvironmentNotAutomated/Environment dev has the deploymentStrategy Manual: use manualPromotion to promote to it',
    ],
    [
      'a snapshot of another application',
      aRun(),
      { snapshot: { uid: 'v1-uid', application: 'cart', components: ['web'] } },
      'SnapshotOfOtherApplication/Snapshot v1 belongs to application cart, not to shop',
    ],
    [
      'a snapshot of nothing',
      aRun(),
      { snapshot: { uid: 'v1-uid', application: '', components: [] } },
      'SnapshotEmpty/Snapshot v1 names no component: there is nothing to promote',
    ],
  ];
  it.each(obstacles)('fails and says so: %s', (_what, run, but, why) => {
    const seen = anActiveSight({ run, ...but });
    const told = toldTo(seen);

    expect(does(decide(seen))).toEqual([`end-run one-uid-0001 Failure ${why.split('/')[0]}`]);
    expect(conditionOf(told, 'Promoted')).toBe(`False/${why}`);
    expect(conditionOf(told, 'ErrorOccurred')).toBe(`True/ErrorOccurred/${why.split('/').slice(1).join('/')}`);
    expect(told).toMatchObject({ state: 'Completed', completionResult: 'Failure', environmentStatus: [] });
  });

  it.each<[string, Partial<SeenPromotion>]>([
    ['SnapshotNotFound', { snapshot: undefined }],
    ['EnvironmentNotFound', { environments: [] }],
    ['ApplicationNotFound', { application: undefined }],
  ])('waits some seconds for what may be applied a moment after it: %s', (reason, but) => {
    const stored = aStored({ started: now });
    const seen = anActiveSight({ ...but, open: [stored] });
    const step = decide(seen, later(5));

    expect(does(step)).toEqual([]);
    expect(waitsFor(step)).toBe(reason);
    expect(step.next).toMatchObject({ afterSeconds: 3 });
    expect(toldTo(seen).waiting).toMatchObject({ since: '2026-07-01T12:00:00Z', until: '2026-07-01T12:00:15Z' });
    expect(does(decide(seen, later(15)))).toEqual([`end-run one-uid-0001 Failure ${reason}`]);
  });

  it('waits until a Binding that is being deleted is gone, and not for ever', () => {
    const seen = anActiveSight({ bindings: [aBinding('dev', { isDeleting: true })] });
    const kept = aStored({ waiting: { reason: 'BindingLeaving', since: now } });

    expect(waitsFor(decide(seen))).toBe('BindingLeaving');
    expect(does(decide({ ...seen, open: [kept] }, later(299)))).toEqual([]);
    const over = decide({ ...seen, open: [kept] }, later(300));
    expect(does(over)).toEqual(['begin-step 1 dev']);
    expect(over.effects).toContainEqual(expect.objectContaining({ status: 'failed', reason: 'BindingLeaving' }));
    expect(knocksOf(over)).toEqual(['one']);
  });

  it('fails where others have both names that it would give to its Binding, and lets the line go on', () => {
    const taken = ['shop-dev-binding', `shop-dev-binding-${digest('shop/dev').slice(0, 10)}`];
    const step = decide(anActiveSight({ takenNames: taken }));

    expect(does(step)).toEqual(['begin-step 1 dev']);
    expect(step.effects).toContainEqual(expect.objectContaining({ status: 'failed', reason: 'BindingNameTaken' }));
    expect(toldTo(anActiveSight({ takenNames: taken })).environmentStatus[0]?.displayStatus).toBe(
      `Promotion Failed. SnapshotEnvironmentBinding ${taken[1]} belongs to another application or environment: delete it, or create one for this pair under another name`,
    );
  });

  it('does not let one environment of a depth fail because the Binding of another does not go', () => {
    const seen = anActiveSight({
      run: anAutomatedRun(['dev']),
      environments: graph('dev', 'east<dev', 'west<dev'),
      steps: [anEndedStep('dev')],
      bindings: [aBinding('east', { isDeleting: true, snapshot: 'v0' })],
      open: [aStored({ waiting: { reason: 'BindingLeaving', since: now } })],
    });

    expect(does(decide(seen, later(300)))).toEqual([
      'create-binding shop-west-binding v1',
      'begin-step 2 east',
      'begin-step 2 west',
    ]);
    const told = toldTo(seen, now + 300_000);
    expect(told.environmentStatus).toMatchObject([
      { environmentName: 'dev', status: 'success' },
      {
        environmentName: 'east',
        status: 'failed',
        displayStatus:
          'Promotion Failed. SnapshotEnvironmentBinding shop-east-binding is being deleted and has to be gone first',
      },
      { environmentName: 'west', status: 'in-progress' },
    ]);
    expect(told.activeBindings).toEqual(['shop-west-binding']);
  });

  it('says that the Binding of a step is gone where another one of the pair has taken its place', () => {
    const twin = aBinding('dev', { name: 'other', promotionUid: 'somebody' });
    const seen = anActiveSight({ steps: [aStep('dev')], bindings: [twin] });

    expect(does(decide(seen))).toEqual(['end-step dev failed BindingGone', 'end-run one-uid-0001 Failure BindingGone']);
  });

  it('knocks at itself when a step has begun, and at whoever follows when it ends', () => {
    const open = [aStored(), aStored({ uid: 'two', name: 'two', state: 'Waiting' })];
    const ending = anActiveSight({
      run: aRun({ goal: { kind: 'manual', target: 'staging' } }),
      environments: example,
      steps: passed('staging'),
      open,
    });

    expect(knocksOf(decide(anActiveSight()))).toEqual(['one']);
    expect(knocksOf(decide(ending))).toEqual(['two', 'one-one-uid-']);
  });

  it('says which environments others promote to', () => {
    const seen = anActiveSight({
      run: anAutomatedRun(['a']),
      environments: graph('a', 'b<a external'),
      steps: passed('a'),
    });

    expect(conditionOf(toldTo(seen), 'DeploymentController')).toBe(
      'False/ExternalController/Environments that others promote to were left out: b by integration',
    );
  });

  it('names the failures that people read, and counts the others', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const seen = anActiveSight({
      run: anAutomatedRun(names),
      environments: graph(...names),
      steps: names.map((name) => anEndedStep(name, { status: 'failed' })),
    });

    expect(conditionOf(toldTo(seen), 'Promoted')).toMatch(
      /^False\/NotHealthy\/a: Component web is Degraded; .*; and 2 more$/,
    );
  });
});
