import { describe, expect, it } from 'vitest';
import { admitRunChange } from '../../../shared/domain/promotion/admit-run.ts';
import { bindingName } from '../../../shared/domain/promotion/binding-name.ts';
import type { SeenPromotion } from '../../../shared/domain/promotion/promotion.ts';
import {
  aBinding,
  anActiveSight,
  anAutomatedRun,
  anEndedStep,
  anEnvironment,
  aReport,
  aSight,
  aStep,
  aStored,
  aWaitingSight,
  decide,
  digest,
  now,
  someEvidence,
  toldSight,
  turnedRound,
} from './a-promotion.ts';
import { Town } from './promotions-in-memory.ts';

const graph = ['b', 'a', 'd<a', 'c<a', 'x<a external', 'm<b manual'].map((one) => anEnvironment(one));
const along = { run: anAutomatedRun(['b', 'a']), environments: graph };
const behind = [
  aStored(),
  aStored({ uid: 'c', name: 'c', state: 'Waiting', created: now }),
  aStored({ uid: 'b', name: 'b', state: 'Waiting', created: now }),
];
const pair = [aBinding('a'), aBinding('b'), aBinding('b', { name: 'younger', created: now })];
const parts = { uid: 'v1-uid', application: 'shop', components: ['web', 'api'] };

const sights: [string, SeenPromotion][] = [
  [
    'new',
    aSight({
      line: [aStored(), aStored({ uid: 'c', name: 'c', created: 0 }), aStored({ uid: 'b', name: 'b', created: 0 })],
    }),
  ],
  ['behind another one', aSight({ open: behind.map((one) => ({ ...one, uid: `${one.uid}-other` })) })],
  ['at its first step', anActiveSight({ ...along, bindings: pair })],
  ['at its second step', anActiveSight({ ...along, steps: [anEndedStep('a'), anEndedStep('b')], bindings: pair })],
  ['at work', anActiveSight({ ...along, steps: [aStep('a'), aStep('b')], bindings: pair, snapshot: parts })],
  [
    'at its end',
    anActiveSight({ run: anAutomatedRun(['c']), environments: graph, steps: [anEndedStep('c')], open: behind }),
  ],
  [
    'failed',
    anActiveSight({ ...along, steps: ['a', 'b'].map((one) => anEndedStep(one, { status: 'failed' })), open: behind }),
  ],
  ['gone', aSight({ run: undefined, named: [behind[2] ?? aStored(), aStored()], open: behind })],
  [
    'of others',
    anActiveSight({ application: { uid: 'shop-uid', controller: 'integration', isRenderedByOthers: false } }),
  ],
  ['in vain', anActiveSight({ environments: [] })],
];

describe('a PromotionRun', () => {
  it.each(sights)('that is %s decides the same, whatever the order of what it sees', (_what, seen) => {
    expect(decide(turnedRound(seen))).toEqual(decide(seen));
  });

  it.each(sights.filter(([, { run }]) => run !== undefined))('that is %s says the same thing once', (_what, seen) => {
    expect(decide(toldSight(seen)).effects).not.toContainEqual(expect.objectContaining({ do: 'tell-user' }));
  });

  it('that waits and has said for what does nothing when it is looked at again', () => {
    const report = aReport({ health: 'Progressing' });
    const message = 'Component web is Progressing at commit c0ffee0000';
    const step = { evidence: [someEvidence('web', { report })], reason: 'NotHealthy', message };

    expect(decide(toldSight(aWaitingSight(step)))).toMatchObject({ effects: [], knocks: [] });
  });

  it('that is knocked at ten times takes one way', () => {
    const town = new Town();
    town.freeze('v1', { web: 'web:1', api: 'api:1' }, 'shop');
    for (const one of ['dev', 'qa<dev', 'prod<qa manual']) {
      const environment = anEnvironment(one);
      town.environments.set(environment.name, environment);
    }
    town.make('one', { goal: { kind: 'automated', initial: ['dev'] } });
    for (let round = 0; round < 10; round += 1) {
      for (let again = 0; again < 10; again += 1) town.knock('one');
      town.render();
      town.serve();
      for (const { name, components } of town.bindings.values())
        for (const component of components) town.report(name, component.name, { sync: 'Synced', health: 'Healthy' });
      town.serve();
    }

    expect(town.runs.get('one')?.status).toMatchObject({ state: 'Completed', completionResult: 'Success' });
    expect([...town.bindings.values()].map(({ environment, generation }) => `${environment} ${generation}`)).toEqual([
      'dev 1',
      'qa 1',
    ]);
    expect(town.rehearse()).toMatchObject([{ effects: [], knocks: [], next: { kind: 'settled' } }]);
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8])('that dies after %i writes, at every look, still comes to its end', (writes) => {
    const town = new Town();
    town.freeze('v1', { web: 'web:1' }, 'shop');
    town.manual.add('dev');
    for (const one of ['dev manual', 'qa<dev']) {
      const environment = anEnvironment(one);
      town.environments.set(environment.name, environment);
    }
    town.make('one', { goal: { kind: 'manual', target: 'dev' } });
    for (let round = 0; round < 20; round += 1) {
      town.diesAfter = writes;
      town.pass(5);
      town.render();
      town.serve();
      for (const { name } of town.bindings.values()) town.report(name, 'web', { sync: 'Synced', health: 'Healthy' });
      town.serve();
    }

    expect([...town.runs.values()].map(({ status }) => status.completionResult)).toEqual(['Success', 'Success']);
    expect(town.syncs.size).toBe(1);
    expect(town.bindings.size).toBe(2);
  });
});

describe('the Binding that a promotion makes', () => {
  it('settled.md 1: is called after application and environment, in lower case', () => {
    expect(bindingName('Shop', 'Dev', digest)).toBe('shop-dev-binding');
  });

  it('AP-09 has a name that can be kept, however long theirs are', () => {
    const names = ['x', 'y'].map((end) => bindingName('a'.repeat(250), end, digest));

    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^a{1,169}-[0-9a-f]{10}$/);
  });

  it('has one of its own where two pairs make the same name', () => {
    const [one, other] = [bindingName('a-b', 'c', digest), bindingName('a', 'b-c', digest)];

    expect(one).toBe(other);
    expect(bindingName('a', 'b-c', digest, [one])).not.toBe(one);
  });
});

describe('a change of what a run is made for', () => {
  const spec = { snapshot: 'v1', application: 'shop', manualPromotion: { targetEnvironment: 'dev' } };

  it('AW-03 is let in where nothing changes', () => {
    expect(admitRunChange({ ...spec }, spec).refused).toBeUndefined();
  });

  it.each<[string, object]>([
    ['snapshot', { ...spec, snapshot: 'v2' }],
    ['application', { ...spec, application: 'cart' }],
    ['target', { ...spec, manualPromotion: { targetEnvironment: 'prod' } }],
    ['kind', { ...spec, automatedPromotion: { initialEnvironment: 'dev' } }],
  ])('AW-03 is refused: another %s', (_what, written) => {
    expect(admitRunChange(written, spec)).toMatchObject({
      refused: `spec cannot be updated to ${JSON.stringify(written)}`,
    });
  });
});

describe('a run that a person made for another application', () => {
  it('AP-04 is in the way of none of these', () => {
    const town = new Town();
    town.applications.set('cart', '');
    town.freeze('v1', { web: 'web:1' });
    town.environments.set('dev', anEnvironment('dev'));
    town.make('one', { goal: { kind: 'manual', target: 'dev' } });
    town.make('two', { goal: { kind: 'manual', target: 'dev' }, application: 'cart' });
    town.serve();

    expect([...town.runs.values()].map(({ status }) => status.state)).toEqual(['Active', 'Active']);
  });
});
