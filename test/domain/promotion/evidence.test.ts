import { describe, expect, it } from 'vitest';
import { instantOf } from '../../../shared/domain/core/instant.ts';
import type { Moment } from '../../../shared/domain/core/step.ts';
import { considerPromotion } from '../../../shared/domain/promotion/consider-promotion.ts';
import type { PromotedBinding, SeenPromotion, StoredStep } from '../../../shared/domain/promotion/promotion.ts';
import { beforeOf } from '../../../shared/domain/promotion/what-stands.ts';
import {
  aBinding,
  anActiveSight,
  anAutomatedRun,
  anEnvironment,
  aRendering,
  aReport,
  aResult,
  aRun,
  aSight,
  aStep,
  aStored,
  aWaitingSight,
  commit,
  conditionOf,
  decide,
  does,
  knocksOf,
  later,
  now,
  someEvidence,
  today,
  toldTo,
  waitsFor,
} from './a-promotion.ts';

const { trouble: _trouble, contains: _contains, ...seen } = aReport();
const web = (but: Parameters<typeof aReport>[0] = {}): Partial<StoredStep> => ({
  evidence: [someEvidence('web', { report: aReport(but) })],
});
const two = { snapshot: { uid: 'v1-uid', application: 'shop', components: ['web', 'api'] } };
const bothRendered = aRendering({ results: [aResult('web'), aResult('api')] });
const isWell = ['end-step dev success Promoted', 'end-run one-uid-0001 Success Promoted'];
const fails = (reason: string): string[] => [`end-step dev failed ${reason}`, `end-run one-uid-0001 Failure ${reason}`];

function between(since: number, until: number) {
  return { since: instantOf(since), until: instantOf(until) };
}

interface Rule {
  readonly step?: Partial<StoredStep>;
  readonly but?: Partial<SeenPromotion>;
  readonly at?: Moment;
  readonly does: readonly string[];
  readonly waits?: string;
}

const rules: Record<string, Rule> = {
  'AP-18 has succeeded when every component was Synced and Healthy at the commit': {
    step: web(),
    does: isWell,
  },
  'has succeeded at a later revision that has the commit in it': {
    step: web({ revision: 'later', contains: true }),
    does: isWell,
  },
  'is not proved by what was said of the place that the deployment had before': {
    step: web({ isElsewhere: true }),
    does: ['keep-step dev in-progress OlderPlace'],
    waits: 'OlderPlace',
  },
  'is not proved while Argo CD is not told what the deployment says now': {
    step: { evidence: [someEvidence('web', { report: aReport(), isRefused: true })] },
    does: ['keep-step dev in-progress DeploymentRefused'],
    waits: 'DeploymentRefused',
  },
  'AP-17 waits while a component is not Healthy': {
    step: web({ health: 'Progressing' }),
    does: ['keep-step dev in-progress NotHealthy'],
    waits: 'NotHealthy',
  },
  'defect 13: waits while a component is not Synced': {
    step: web({ sync: 'OutOfSync' }),
    does: ['keep-step dev in-progress NotSynced'],
    waits: 'NotSynced',
  },
  'defect 13: takes no report of an older revision for proof': {
    step: web({ revision: 'old', contains: false }),
    does: ['keep-step dev in-progress OlderRevision'],
    waits: 'OlderRevision',
  },
  'does not blame the commit for a sync of an older one that failed': {
    step: web({ revision: 'old', contains: false, operation: 'Failed', trouble: 'of before' }),
    does: ['keep-step dev in-progress OlderRevision'],
    waits: 'OlderRevision',
  },
  'takes no report for proof of which nobody can tell what is in it': {
    step: web({ revision: 'foreign', contains: undefined }),
    does: ['keep-step dev in-progress RevisionUnknown'],
    waits: 'RevisionUnknown',
  },
  'takes no report for proof while a sync is under way': {
    step: web({ operation: 'Running' }),
    does: ['keep-step dev in-progress SyncRunning'],
    waits: 'SyncRunning',
  },
  'takes no report for proof while a sync is being stopped': {
    step: web({ operation: 'Terminating' }),
    does: ['keep-step dev in-progress SyncRunning'],
    waits: 'SyncRunning',
  },
  'says that the sync failed where it did': {
    step: web({ sync: 'OutOfSync', operation: 'Failed' }),
    does: ['keep-step dev in-progress SyncFailed'],
    waits: 'SyncFailed',
  },
  'waits for a component of which nothing was said': { does: [], waits: 'NotReported' },
  'keeps what it has seen, whatever Argo CD says later': {
    step: {
      rendering: bothRendered,
      evidence: [
        someEvidence('web', { seen, report: aReport({ health: 'Degraded' }) }),
        someEvidence('api', { report: aReport() }),
      ],
    },
    but: two,
    does: isWell,
  },
  'writes down what it has seen of one component while it waits for another': {
    step: {
      rendering: bothRendered,
      evidence: [someEvidence('web', { report: aReport() }), someEvidence('api')],
    },
    but: two,
    does: ['keep-step dev in-progress NotReported'],
    waits: 'NotReported',
  },
  'AP-16 waits for the repository before anything else': {
    step: { ...web(), rendering: undefined },
    does: ['keep-step dev in-progress Rendering'],
    waits: 'Rendering',
  },
  'takes nothing for proof that was rendered for another snapshot': {
    step: { ...web(), rendering: aRendering({ snapshot: 'v0' }) },
    does: ['keep-step dev in-progress Rendering'],
    waits: 'Rendering',
  },
  'takes nothing for proof that was rendered for another promotion, were it one of the same name': {
    step: { ...web(), rendering: aRendering({ promotionUid: 'before' }) },
    does: ['keep-step dev in-progress Rendering'],
    waits: 'Rendering',
  },
  'takes nothing for proof that was rendered before the Binding changed': {
    step: { ...web(), rendering: aRendering({ generation: 1 }) },
    does: ['keep-step dev in-progress Rendering'],
    waits: 'Rendering',
  },
  'says what the repository refuses': {
    step: {
      ...web(),
      rendering: aRendering({
        isRendered: false,
        trouble: { reason: 'PushRefused', message: 'The branch is protected', since: now, at: now },
      }),
    },
    does: ['keep-step dev in-progress PushRefused'],
    waits: 'PushRefused',
  },
  'takes nothing for proof of a component that cannot be rendered, for what runs is of before': {
    step: web(),
    but: {
      bindings: [
        aBinding('dev', {
          components: [
            { name: 'web', commit, path: 'web', problem: { reason: 'EnvNotSupported', message: 'Write it out' } },
          ],
        }),
      ],
    },
    does: ['keep-step dev in-progress EnvNotSupported'],
    waits: 'EnvNotSupported',
  },
  'minds no problem of a component that it has seen': {
    step: { evidence: [someEvidence('web', { seen })] },
    but: {
      bindings: [
        aBinding('dev', {
          components: [{ name: 'web', commit, path: 'web', problem: { reason: 'EnvNotSupported', message: '' } }],
        }),
      ],
    },
    does: isWell,
  },
  'misses a component of the snapshot that the Binding leaves out': {
    step: web(),
    but: two,
    does: ['keep-step dev in-progress ComponentNotDeployed'],
    waits: 'ComponentNotDeployed',
  },
  'misses no component of which nothing is to be written to Git': {
    step: web(),
    but: { ...two, skipped: ['api'] },
    does: isWell,
  },
  'has not succeeded where nothing at all is deployed': {
    step: { rendering: aRendering({ results: [] }), evidence: [] },
    but: { skipped: ['web'] },
    does: ['keep-step dev in-progress NothingDeployed'],
    waits: 'NothingDeployed',
  },
  'takes nothing for proof while the Binding says that its deployments are not as they should be': {
    step: web(),
    but: { bindings: [aBinding('dev', { problem: { reason: 'DeploymentNameTaken', message: 'Rename it' } })] },
    does: ['keep-step dev in-progress DeploymentNameTaken'],
    waits: 'DeploymentNameTaken',
  },
  'fails when its time is over': {
    step: web({ health: 'Degraded' }),
    at: later(290),
    does: fails('NotHealthy'),
  },
  'has time until the last second': {
    step: web({ health: 'Degraded' }),
    at: later(289),
    does: ['keep-step dev in-progress NotHealthy'],
    waits: 'NotHealthy',
  },
  'has the time that its environment gives it': {
    step: web({ health: 'Degraded' }),
    but: { environments: [anEnvironment('dev', { stepDeadlineSeconds: 5 })] },
    does: fails('NotHealthy'),
  },
  'counts a proof that comes with the last bell': { step: web(), at: later(3_000), does: isWell },
  'fails when its environment goes': {
    step: web(),
    but: { environments: [anEnvironment('dev leaving')] },
    does: fails('EnvironmentGone'),
  },
  'fails when its Binding goes': {
    step: web(),
    but: { bindings: [] },
    does: fails('BindingGone'),
  },
  'fails when somebody else changes the snapshot of its Binding': {
    step: web(),
    but: { bindings: [aBinding('dev', { snapshot: 'v2' })] },
    does: fails('BindingChanged'),
  },
  'fails when its snapshot is made again under its name, whatever Argo CD says': {
    step: web(aReport()),
    but: { snapshot: { uid: 'v1-uid-2', application: 'shop', components: ['web'] } },
    does: fails('SnapshotReplaced'),
  },
  'asks nobody which snapshot it is where nobody noted with which it began': {
    step: { ...web(aReport()), snapshotUid: '' },
    does: isWell,
  },
  'waits for its snapshot that was deleted, and takes nothing for proof without it': {
    step: web(),
    but: { snapshot: undefined },
    does: ['keep-step dev in-progress SnapshotNotFound'],
    waits: 'SnapshotNotFound',
  },
};

describe('a step', () => {
  it.each(Object.entries(rules))('%s', (_rule, { step = {}, but = {}, at = today, does: done, waits }) => {
    const decided = decide(aWaitingSight(step, but), at);

    expect(does(decided)).toEqual(done);
    expect(waitsFor(decided)).toBe(waits);
  });

  it('is written down before anything is done or told on account of it', () => {
    const graph = { environments: [anEnvironment('dev'), anEnvironment('prod<dev')] };
    const goesOn = anActiveSight({
      ...graph,
      run: anAutomatedRun(),
      steps: [aStep('dev', web())],
      bindings: [aBinding('dev')],
    });

    expect(decide(aWaitingSight(web())).effects.map((effect) => effect.do)).toEqual([
      'end-step',
      'end-run',
      'tell-user',
    ]);
    expect(decide(goesOn).effects.map((effect) => effect.do)).toEqual([
      'end-step',
      'create-binding',
      'begin-step',
      'keep-run',
      'tell-user',
    ]);
  });

  it('AP-16 to AP-19 says how it stands in the words that clients know', () => {
    const display = (step: Partial<StoredStep>, but: Partial<SeenPromotion> = {}, at = today): string | undefined =>
      toldTo(aWaitingSight(step, but), at.now).environmentStatus[0]?.displayStatus;
    const deployment = 'shop-dev-binding-shop-dev-web';

    expect(display(web({ health: 'Progressing' }))).toBe(
      `Waiting for following GitOpsDeployments to be Synced/Healthy: ${deployment}`,
    );
    expect(display(web())).toBe('All GitOpsDeployments are Synced/Healthy');
    expect(display(web({ health: 'Degraded', trouble: 'CrashLoopBackOff' }), {}, later(290))).toBe(
      'Promotion Failed. Could not be completed in 5 Minutes. Component web is Degraded at commit c0ffee0000: CrashLoopBackOff',
    );
    expect(display(web(), { bindings: [] })).toBe(
      'Promotion Failed. SnapshotEnvironmentBinding shop-dev-binding was deleted',
    );
    expect(toldTo(anActiveSight()).environmentStatus).toMatchObject([
      {
        step: 1,
        environmentName: 'dev',
        status: 'in-progress',
        displayStatus: 'Waiting for the environment binding to create all of the expected GitOpsDeployments.',
      },
    ]);
  });

  it('tells its evidence, its times and its commit', () => {
    const { environmentStatus, activeBindings, waiting } = toldTo(aWaitingSight(web({ health: 'Progressing' })));

    expect(environmentStatus).toMatchObject([
      {
        reason: 'NotHealthy',
        startTime: '2026-07-01T11:59:50Z',
        commit,
        components: [
          { name: 'web', revision: commit, sync: 'Synced', health: 'Progressing', observedAt: '2026-07-01T11:59:59Z' },
        ],
      },
    ]);
    expect(activeBindings).toEqual(['shop-dev-binding']);
    expect(waiting).toEqual({
      reason: 'NotHealthy',
      message: 'dev: Component web is Progressing at commit c0ffee0000',
      since: '2026-07-01T11:59:50Z',
      until: '2026-07-01T12:04:50Z',
    });
  });

  it('keeps the first commit when somebody changes the Binding on the way', () => {
    const changed = aWaitingSight(
      { rendering: aRendering({ commit: 'second', generation: 3 }) },
      {
        bindings: [aBinding('dev', { generation: 3 })],
      },
    );

    expect(toldTo(changed).environmentStatus).toMatchObject([{ commit }]);
  });

  it('looks again at once when it begins to wait for a component: what it waits for may have come before', () => {
    const seenFirst = decide(aWaitingSight({ evidence: [], commit: '' }));

    expect(does(seenFirst)).toEqual(['keep-step dev in-progress NotReported']);
    expect(knocksOf(seenFirst)).toEqual(['one']);
    expect(knocksOf(decide(aWaitingSight()))).toEqual([]);
  });

  it('has succeeded with the first look at a deployment of which Argo CD has said all that is needed before', () => {
    const first = { evidence: [], commit: '' };
    const spoken = (but: Parameters<typeof aReport>[0] = {}): SeenPromotion =>
      aWaitingSight(first, { sightings: new Map([[someEvidence('web').deployment, { report: aReport(but) }]]) });

    expect(does(decide(spoken()))).toEqual(isWell);
    expect(does(decide(spoken({ contains: false })))).toEqual(['keep-step dev in-progress OlderRevision']);
    expect(knocksOf(decide(spoken({ contains: false })))).toEqual(['one']);
  });

  it('counts the time it has from the first look, not from every look anew', () => {
    const moment = { now: now + 90_000, waiting: { reason: 'NotReported', since: now, deadline: now + 290_000 } };

    expect(decide(aWaitingSight(), moment).next).toMatchObject({ wait: { deadlineSeconds: 290 } });
    expect(decide(aWaitingSight(), { now: now + 90_000 }).next).toMatchObject({ wait: { deadlineSeconds: 200 } });
  });

  it('has a minute more where nobody looked while its time ran out, and asks what has happened meanwhile', () => {
    const argo = { namespace: 'argocd', applicationId: 'web-id' };
    const asleep = (but: Partial<StoredStep> = {}): SeenPromotion =>
      aWaitingSight({ evidence: [someEvidence('web', { argo })], ...but });
    const waiting = { reason: 'NotReported', since: now - 10_000, deadline: now + 290_000 };

    const late = decide(asleep(), { now: now + 330_000, waiting });
    expect(does(late)).toEqual(['keep-step dev in-progress NotReported']);
    expect(toldTo(asleep(), now + 330_000).waiting?.until).toBe('2026-07-01T12:06:30Z');
    expect(late.knocks.map(({ type }) => type)).toContain('argo-application.changed.v1');
    const extended = now + 390_000;
    expect(does(decide(asleep({ extended }), { now: extended - 1_000, waiting }))).toEqual([]);
    expect(does(decide(asleep({ extended }), { now: extended, waiting }))).toEqual(fails('NotReported'));
  });

  it('has a minute more once, however late everybody is: it comes to its end', () => {
    const extended = now + 390_000;
    const late = { now: extended + 3_600_000, waiting: { reason: 'NotReported', since: now, deadline: extended } };

    expect(does(decide(aWaitingSight({ extended }), late))).toEqual(fails('NotReported'));
    expect(does(decide(aWaitingSight({ extended, ...web() }), late))).toEqual(isWell);
  });

  const twoWaits = anActiveSight({
    environments: [anEnvironment('a'), anEnvironment('b')],
    bindings: [aBinding('a'), aBinding('b')],
    steps: [aStep('a', { ready: now - 100_000 }), aStep('b')],
  });

  it('says of two waits the one that ends first', () => {
    const told = toldTo(twoWaits);

    expect(told.waiting?.message).toMatch(/^a: /);
    expect(told.activeBindings).toEqual(['shop-a-binding', 'shop-b-binding']);
  });

  it('says of each environment what it waits for, since when and until when', () => {
    const [a, b] = toldTo(twoWaits).environmentStatus;

    expect(a?.waiting).toMatchObject({ reason: 'NotReported', ...between(now - 100_000, now + 200_000) });
    expect(b?.waiting).toMatchObject({ reason: 'NotReported', ...between(now - 10_000, now + 290_000) });
    expect(b?.waiting?.message).toMatch(/^Argo CD has said nothing of component web \(.*shop-b-web\) yet$/);
  });

  it('says of an environment whose turn has come that it is looked at, and until when', () => {
    const begins = anActiveSight({
      run: anAutomatedRun(['a', 'b']),
      environments: [anEnvironment('a automated'), anEnvironment('b automated claiming')],
    });

    expect(toldTo(begins).environmentStatus.map(({ waiting }) => waiting)).toMatchObject([
      { reason: 'Rendering', ...between(now, now + 300_000) },
      { reason: 'Begun', ...between(now, now + 3_600_000) },
    ]);
  });

  it('waits for nothing any more in an environment where its step has ended', () => {
    expect(toldTo(aWaitingSight(web())).environmentStatus).toMatchObject([{ status: 'success' }]);
    expect(toldTo(aWaitingSight(web())).environmentStatus[0]).not.toHaveProperty('waiting');
  });

  it.each([
    ['longer than what is kept of it', 'x'.repeat(5_000)],
    ['with a character that no row keeps', 'a\u0000b'],
  ])('writes nothing at a look that finds the same words of others, %s', (_what, message) => {
    const bindings = [aBinding('dev', { problem: { reason: 'Odd\u0000', message } })];
    const first = aWaitingSight({}, { bindings });
    const [told] = toldTo(first).environmentStatus;
    const kept = aWaitingSight({ reason: told?.reason ?? '', message: told?.waiting?.message ?? '' }, { bindings });

    expect(told?.waiting?.message.length).toBeLessThanOrEqual(4_000);
    expect(does(decide(first))).toEqual(['keep-step dev in-progress Odd\ufffd']);
    expect(does(decide(kept))).toEqual([]);
  });

  it('comes to its end, even if what others say of it is called as a hand-over is', () => {
    const bindings = [aBinding('dev', { problem: { reason: 'ExternalController', message: 'not yet' } })];
    const first = aWaitingSight({}, { bindings });
    const [told] = toldTo(first).environmentStatus;
    const kept = aWaitingSight({ reason: told?.reason ?? '', message: told?.waiting?.message ?? '' }, { bindings });

    expect(does(decide(kept, later(300)))).toEqual(fails('NotReady'));
  });

  it('is only watched, and says so, in an environment that is given to others meanwhile', () => {
    const given = { environments: [anEnvironment('dev external')] };

    expect(toldTo({ ...aWaitingSight(), ...given }).waiting?.message).toMatch(
      /Environment dev is promoted to by [^ ]+ now, and what was begun there is only watched$/,
    );
    expect(does(decide({ ...aWaitingSight(web()), ...given }))).toEqual(isWell);
  });
});

describe('a step whose application comes back from somebody else', () => {
  const long = now - 7_200_000;

  it.each([
    ['', {}],
    [', even if it had more time once', { extended: long + 390_000 }],
    [', even if its time would be just over', { ready: now - 310_000 }],
  ])('has all of its time again%s', (_what, but) => {
    const back = aWaitingSight({ began: long, ready: long, reason: 'ExternalController', ...but });

    expect(does(decide(back))).toEqual(['keep-step dev in-progress NotReported']);
    expect(toldTo(back).waiting?.until).toBe('2026-07-01T12:05:00Z');
    const kept = considerPromotion(back, aRun(), aStored(), now).steps[0];
    const { wait: _wait, isNew: _isNew, isLate: _isLate, syncs: _syncs, ...step } = kept ?? fail();
    const next = aWaitingSight({ ...step, rendering: aRendering() });
    expect(does(decide(next, later(299)))).toEqual([]);
    expect(does(decide(next, later(300)))).toEqual(fails('NotReported'));
  });

  it('has succeeded with what was said meanwhile', () => {
    expect(does(decide(aWaitingSight({ began: long, ready: long, reason: 'ExternalController', ...web() })))).toEqual(
      isWell,
    );
  });

  function fail(): never {
    throw new Error('There is no step');
  }
});

describe('a step whose environment has a claim', () => {
  const unbound = new Map([
    ['dev', { kind: 'none', reason: 'ClaimNotBound', message: 'The claim c is not bound yet' } as const],
  ]);
  const environments = [anEnvironment('dev claiming', { targetDeadlineSeconds: 60 })];
  const claiming = (but: Partial<SeenPromotion> = {}) =>
    aWaitingSight(
      { ready: undefined, began: now, evidence: [], commit: '' },
      { environments, choices: unbound, ...but },
    );

  it('waits for its target, for as long as the environment says', () => {
    expect(waitsFor(decide(claiming()))).toBe('TargetNotReady');
    expect(toldTo(claiming()).waiting).toMatchObject({
      message: 'dev: The claim c is not bound yet',
      since: '2026-07-01T12:00:00Z',
      until: '2026-07-01T12:01:00Z',
    });
    expect(does(decide(claiming(), later(60)))).toEqual(fails('TargetNotReady'));
  });

  it('has its whole time from the moment its target is ready', () => {
    const ready = claiming({ choices: new Map([['dev', { kind: 'own-namespace' } as const]]) });
    const told = toldTo(ready, now + 59_000);

    expect(does(decide(ready, later(59)))).toEqual(['keep-step dev in-progress NotReported']);
    expect(told.waiting).toMatchObject({ since: '2026-07-01T12:00:59Z', until: '2026-07-01T12:05:59Z' });
  });

  it('has its whole time for that again, and then for the rest, when its application comes back from somebody else', () => {
    const back = { ready: undefined, began: now - 7_200_000, evidence: [], commit: '', reason: 'ExternalController' };
    const waits = toldTo(aWaitingSight(back, { environments, choices: unbound })).waiting;
    const extended = now + 60_000;
    const ready = aWaitingSight({ ...back, reason: 'TargetNotReady', extended }, { environments });

    expect(waits).toMatchObject({ reason: 'TargetNotReady', until: '2026-07-01T12:01:00Z' });
    expect(toldTo(ready).waiting?.until).toBe('2026-07-01T12:05:00Z');
  });

  it('does not go back to waiting for its target when that is lost later', () => {
    const lost = aWaitingSight({}, { environments, choices: unbound });

    expect(waitsFor(decide(lost))).toBe('NotReported');
  });
});

describe('a step where somebody else writes the GitOps repository', () => {
  const application = { uid: 'shop-uid', controller: '', isRenderedByOthers: true };
  const written = (name: string, at = commit) => ({ name, commit: at, path: `${name}/dev`, problem: undefined });
  const old = written('web', 'old');
  const stood = (...components: PromotedBinding['components']) =>
    beforeOf(aBinding('dev', { snapshot: 'v0', components }), aSight({ application }), aRun());
  const others = (
    binding: Partial<PromotedBinding>,
    step: Partial<StoredStep> = {},
    but: Partial<SeenPromotion> = {},
  ) =>
    aWaitingSight(
      { rendering: undefined, ...web(), ...step },
      { application, bindings: [aBinding('dev', binding)], ...but },
    );

  const words: [string, SeenPromotion, string | undefined][] = [
    [
      'counts what they wrote since it began',
      others({ components: [written('web')] }, { before: stood(old) }),
      undefined,
    ],
    ['counts nothing that stood there before', others({ components: [old] }, { before: stood(old) }), 'Rendering'],
    [
      'counts what they say of this generation',
      others(
        { components: [written('web')], refreshed: { isOk: true, message: '', generation: 2 } },
        { before: stood(written('web')) },
      ),
      undefined,
    ],
    [
      'counts nothing that they say of an older generation',
      others({ components: [written('web')], refreshed: { isOk: true, message: '', generation: 1 } }),
      'Rendering',
    ],
    [
      'says what they say is wrong',
      others({ components: [written('web')], refreshed: { isOk: false, message: 'No', generation: 2 } }),
      'RepositoryNotReady',
    ],
    ['waits for their word', others({ components: [] }), 'Rendering'],
    [
      'misses a component that they have not written',
      others({ components: [written('web')] }, {}, two),
      'ComponentNotDeployed',
    ],
    [
      'waits for no component that the snapshot has not',
      others({ components: [written('web'), written('stray')] }),
      undefined,
    ],
  ];
  it.each(words)('%s', (_what, sight, waits) => {
    expect(waitsFor(decide(sight))).toBe(waits);
  });

  const beginning = (binding: Partial<PromotedBinding>) => {
    const seenAtFirst = anActiveSight({ application, bindings: [aBinding('dev', { components: [old], ...binding })] });
    const [promoted] = decide(seenAtFirst).effects.filter((effect) => effect.do === 'promote-binding');
    const [begun] = considerPromotion(seenAtFirst, aRun(), aStored(), now).begin;
    return { promoted: promoted?.before, begun: begun?.before };
  };

  it('notes in the Binding, with the snapshot, what they had written before, and remembers it', () => {
    const noted = { snapshotUid: 'v0-uid', before: 'of long ago' };

    expect(beginning({ snapshot: 'v0', promotionUid: '', noted })).toEqual({ promoted: stood(old), begun: stood(old) });
  });

  it.each([
    ['it died before it could remember', 'one-uid-0001'],
    ['a run before it brought the same snapshot, and failed', 'another-uid'],
  ])('goes by what is noted there where %s', (_why, promotionUid) => {
    const noted = { snapshotUid: 'v1-uid', before: 'noted' };

    expect(beginning({ promotionUid, noted })).toEqual({ promoted: 'noted', begun: 'noted' });
  });

  it('takes what stands there for older where a person wrote the snapshot, and nobody noted what stood there', () => {
    expect(beginning({ generation: 3 })).toEqual({ promoted: stood(old), begun: stood(old) });
  });

  it('takes what stands there for what it brings where the Binding never had another snapshot', () => {
    expect(beginning({ generation: 1, promotionUid: '' }).begun).toBe(stood());
  });

  it('notes in a Binding that it makes that nothing stood there', () => {
    const [made] = decide(anActiveSight({ application })).effects.filter((effect) => effect.do === 'create-binding');

    expect(made?.before).toBe(stood());
  });

  it.each([
    ['say which generation they looked at', { isOk: true, message: '', generation: 2 }],
    ['do not say which generation they looked at', undefined],
  ])('counts nothing that they wrote for a Snapshot that had the name before, where they %s', (_what, refreshed) => {
    const { begun = '' } = beginning({ noted: { snapshotUid: 'of-before', before: stood() } });

    expect(waitsFor(decide(others({ components: [old], refreshed }, { before: begun })))).toBe('Rendering');
    expect(waitsFor(decide(others({ components: [written('web')], refreshed }, { before: begun })))).toBe(undefined);
  });

  it('says how well all is, once it is', () => {
    const told = toldTo(others({ components: [written('web')] }));

    expect(conditionOf(told, 'ErrorOccurred')).toBe('False');
    expect(told.environmentStatus[0]?.status).toBe('success');
  });
});
