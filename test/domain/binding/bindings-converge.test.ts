import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aComponent, anApplication, anEnvironment, aSnapshot, conditionOf } from './a-binding.ts';
import { Place } from './bindings-in-memory.ts';

/** The application `shop` with a component, and the environments `dev`, which is automated, and `prod`, which is not. */
function aPlace(): Place {
  const place = new Place();
  place.components.set('web', aComponent('web', { port: 8080 }));
  place.environments.set('dev', anEnvironment());
  place.environments.set('prod', anEnvironment({ isAutomated: false }));
  return place;
}

function overlaysIn({ tree }: Place): string[] {
  const folders = Object.keys(tree).map((path) => path.split('/').slice(0, 4).join('/'));
  return [...new Set(folders.filter((path) => path.includes('/overlays/')))].toSorted();
}

function basesIn({ tree }: Place): string[] {
  return Object.keys(tree).filter((path) => path.endsWith('/base/deployment.yaml'));
}

/** Everything is done, and nobody would do anything if they were asked again. */
function expectRest(place: Place): void {
  place.serve();
  for (const name of place.bindings.keys()) {
    const { effects, knocks } = place.decide(name);
    expect({ name, effects, knocks }).toEqual({ name, effects: [], knocks: [] });
  }
}

describe('a Binding and its repository', () => {
  it('B01 come to rest: everything stands in Git, is deployed from there and said', () => {
    const place = aPlace();
    place.bind('shop-dev');
    place.serve();
    place.sync();

    expectRest(place);
    expect(overlaysIn(place)).toEqual(['components/web/overlays/dev']);
    expect([...place.deployments.values()]).toMatchObject([{ commit: 'commit-1', revision: 'commit-1' }]);
    const status = place.bindings.get('shop-dev')?.status;
    expect(conditionOf(status?.componentDeploymentConditions ?? [], 'AllComponentsDeployed')).toMatch(/1 of 1/);
    expect(conditionOf(status?.bindingConditions ?? [], 'Reconciled')).toBe('True/Reconciled');
  });

  it('B29 a snapshot of many components is one commit', () => {
    const place = aPlace();
    for (const name of ['a', 'b', 'c']) place.components.set(name, aComponent(name));
    place.snapshots.set('v1', aSnapshot('web', 'a', 'b', 'c'));
    place.bind('shop-dev');
    place.serve();

    expect(place.commits).toHaveLength(1);
    expect(place.deployments.size).toBe(4);
  });

  it('B33 a snapshot with the same images makes no commit, and is held by the one that is there', () => {
    const place = aPlace();
    place.bind('shop-dev');
    place.serve();
    place.snapshots.set('v2', aSnapshot('web'));
    place.change('shop-dev', { snapshot: 'v2' });

    expectRest(place);
    expect(place.commits).toHaveLength(1);
    expect(place.store.of('shop-dev')).toMatchObject([{ snapshot: 'v2', commit: 'commit-1' }]);
  });

  it('B26 B27 what is not wanted any more leaves Git, and a base goes when nobody stands on it', () => {
    const place = aPlace();
    place.components.set('api', aComponent('api'));
    place.snapshots.set('v1', aSnapshot('api', 'web')).set('v2', aSnapshot('web'));
    place.bind('shop-dev');
    place.bind('shop-prod', { environment: 'prod' });
    place.serve();
    place.change('shop-dev', { snapshot: 'v2' });
    place.serve();
    expect(overlaysIn(place)).toEqual([
      'components/api/overlays/prod',
      'components/web/overlays/dev',
      'components/web/overlays/prod',
    ]);

    place.endComponent('api');
    place.serve();
    expect(basesIn(place)).toHaveLength(2);
    expect(place.deployments.size).toBe(3);

    place.change('shop-prod', { snapshot: 'v2' });
    place.serve();
    expect(basesIn(place)).toEqual(['components/web/base/deployment.yaml']);

    place.unbind('shop-dev');
    expectRest(place);
    expect(overlaysIn(place)).toEqual(['components/web/overlays/prod']);
    expect(place.store.rows.size).toBe(1);
  });

  it('made again under its name keeps its directories, and its deployments come again', () => {
    const place = aPlace();
    place.bind('shop-dev');
    place.serve();
    place.unbind('shop-dev');
    place.bind('shop-dev');

    expectRest(place);
    expect(place.commits).toHaveLength(1);
    expect([...place.store.rows.keys()]).toEqual(['shop-dev-2']);
    expect([...place.deployments.values()]).toMatchObject([{ owner: 'shop-dev-2' }]);
  });

  it('doubled by an older one step back with what only they want, and come back when that is gone', () => {
    const place = aPlace();
    place.components.set('api', aComponent('api'));
    place.snapshots.set('v1', aSnapshot('api', 'web'));
    place.bind('old', { snapshot: 'v2' });
    place.bind('young', { components: [{ name: 'web', configuration: { replicas: 7, env: [] } }] });
    place.serve();
    expect([...place.deployments.values()].map(({ owner }) => owner)).toEqual(['young-2', 'young-2']);

    place.snapshots.set('v2', aSnapshot('web'));
    place.knock('old');
    place.serve();
    expect([...place.deployments.values()].map(({ owner }) => owner)).toEqual(['old-1']);
    expect([...place.store.rows.keys()]).toEqual(['old-1']);
    expect(overlaysIn(place)).toEqual(['components/web/overlays/dev']);
    expect(place.repair().size).toBe(0);

    place.unbind('old');
    place.pass(120);
    expectRest(place);
    expect([...place.deployments.values()].map(({ owner }) => owner)).toEqual(['young-2', 'young-2']);
    expect(overlaysIn(place)).toEqual(['components/api/overlays/dev', 'components/web/overlays/dev']);
  });

  it('keep the directory of a component that moves to another application of the same repository', () => {
    const place = aPlace();
    place.applications.set('cart', anApplication());
    place.snapshots.set('v1', { ...aSnapshot('web'), application: '' });
    place.bind('cart-dev', { application: 'cart' });
    place.bind('shop-dev');
    place.serve();
    place.components.set('web', aComponent('web', { application: 'cart' }));
    place.knock('cart-dev');
    place.serve();
    place.knock('shop-dev');

    expectRest(place);
    expect(overlaysIn(place)).toEqual(['components/web/overlays/dev']);
    expect([...place.deployments.values()].map(({ owner }) => owner)).toEqual(['cart-dev-1']);
    expect(place.repair().size).toBe(0);
  });

  it('B28 without its Environment are gone after three minutes', () => {
    const place = aPlace();
    place.bind('shop-dev');
    place.serve();
    place.environments.delete('dev');
    place.knockAll();
    place.pass(170);
    expect(place.deployments.size).toBe(1);

    place.pass(20);
    expect([place.bindings.size, place.deployments.size, overlaysIn(place)]).toEqual([0, 0, []]);
  });
});

describe('somebody who writes to the repository', () => {
  it('G24 and dies before the rows say so makes no second commit: the first one holds it', () => {
    const place = aPlace();
    place.isDying = true;
    place.bind('shop-dev');
    place.serve();

    expectRest(place);
    expect(place.commits).toHaveLength(1);
    expect([...place.deployments.values()]).toMatchObject([{ commit: 'commit-1' }]);
  });

  it('and is overtaken by another wish writes again, and nothing is deployed from what goes meanwhile', () => {
    const place = aPlace();
    place.components.set('api', aComponent('api'));
    place.snapshots.set('v1', aSnapshot('api', 'web')).set('v2', aSnapshot('web'));
    place.bind('shop-dev');
    place.serve();
    place.watch = expectFirmGround;
    place.meanwhile = () => place.change('shop-dev', { snapshot: 'v1' });
    place.change('shop-dev', { snapshot: 'v2' });

    expectRest(place);
    expect(place.commits).toHaveLength(3);
    expect(place.deployments.size).toBe(2);
  });
});

describe('B30 a repository that refuses', () => {
  const refusal = { reason: 'CredentialMissing', message: 'No credential is for it' };

  it.each([1, 5])('is tried ever less often, whatever the number of Bindings: %i', (many) => {
    const place = aPlace();
    place.refusal = refusal;
    for (let index = 0; index < many; index += 1) {
      place.environments.set(`e${index}`, anEnvironment());
      place.bind(`b${index}`, { environment: `e${index}` });
    }
    place.pass(3_600);
    const { bindings, repositories } = place.steps;

    // Every try is half as long after the last as it was refused before: some fifteen make an hour.
    expect(repositories).toBeGreaterThan(8);
    expect(repositories).toBeLessThan(25 + many);
    expect(bindings).toBeLessThan(many * 4 * repositories);
    expect(conditionOf(place.bindings.get('b0')?.status.gitopsRepoConditions ?? [], 'Refreshed')).toBe(
      'False/CredentialMissing/No credential is for it',
    );

    place.pass(3_600);
    expect(place.steps.repositories - repositories).toBeLessThan(10 * many);
    place.refusal = undefined;
    place.pass(600);
    expectRest(place);
    expect(place.deployments.size).toBe(many);
    expect(conditionOf(place.bindings.get('b0')?.status.gitopsRepoConditions ?? [], 'Refreshed')).toMatch(/^True/);
  });

  it('keeps what was deployed from it before', () => {
    const place = aPlace();
    place.bind('shop-dev');
    place.serve();
    const before = [...place.deployments.values()];
    place.refusal = refusal;
    place.components.set('web', aComponent('web', { replicas: 3 }));
    place.knockAll();
    place.pass(7_200);

    expect([...place.deployments.values()]).toEqual(before);
  });

  it('keeps what a Binding left there until somebody looks at it again, and nothing is deployed from it', () => {
    const place = aPlace();
    place.bind('shop-dev');
    place.serve();
    place.refusal = refusal;
    place.unbind('shop-dev');
    place.pass(3_600);
    expect([place.steps.repositories, place.deployments.size, place.store.rows.size]).toEqual([2, 0, 1]);

    place.refusal = undefined;
    place.ask('repo');
    place.serve();
    expect([overlaysIn(place), place.store.rows.size]).toEqual([[], 0]);
  });

  it('while a file of a user is in the way is left alone as well, and all is well when both are mended', () => {
    const place = aPlace();
    const patch = 'components/web/overlays/dev/deployment-patch.yaml';
    place.tree = { [patch]: 'mine: true\n' };
    place.bind('shop-dev');
    place.serve();
    expect(place.bindings.get('shop-dev')?.status.components[0]?.conditions).toMatchObject([{ reason: 'FileNotOurs' }]);
    place.refusal = refusal;
    place.pass(7_200);
    expect(place.steps.repositories).toBeLessThan(12);
    expect(place.steps.bindings).toBeLessThan(50);

    place.refusal = undefined;
    place.tree = {};
    place.pass(1_800);
    expectRest(place);
    expect(place.deployments.size).toBe(1);
  });

  it('that nobody answers for is asked every two minutes', () => {
    const place = aPlace();
    place.isAway = true;
    place.bind('shop-dev');
    place.pass(3_600);
    expect(place.steps.bindings).toBeLessThan(40);

    place.isAway = false;
    place.pass(240);
    expectRest(place);
    expect(place.deployments.size).toBe(1);
  });
});

const name = fc.constantFrom('one', 'two');
const environment = fc.constantFrom('dev', 'prod');
const component = fc.constantFrom('web', 'api', 'db');
const event = fc.oneof(
  { weight: 3, arbitrary: fc.record({ is: fc.constant('bind' as const), name, environment }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('unbind' as const), name }) },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constant('promote' as const),
      name,
      parts: fc.subarray(['web', 'api', 'db', 'lost']),
    }),
  },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('component' as const), component, replicas: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('break' as const), component }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('end' as const), component }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('refuse' as const), refuses: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('spoil' as const), component, environment }) },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constant('environment' as const), environment, value: fc.constantFrom('1', '2') }),
  },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('pass' as const), seconds: fc.constantFrom(0, 20, 200, 900) }) },
);
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;
/** Most happens one after the other; some of it while somebody writes to the repository, who may die of it. */
const turn = fc.record({ event, when: fc.constantFrom('now', 'now', 'meanwhile', 'dying') });

function take(place: Place, { event: one, when }: { event: Event; when: string }): void {
  if (when === 'dying') place.isDying = true;
  if (when === 'meanwhile' && one.is !== 'pass') place.meanwhile = () => happen(place, one);
  else happen(place, one);
}

function happen(place: Place, one: Event): void {
  switch (one.is) {
    case 'bind':
      if (!place.bindings.has(one.name)) place.bind(one.name, { environment: one.environment });
      break;
    case 'unbind':
      place.unbind(one.name);
      break;
    case 'promote': {
      const snapshot = `v-${one.parts.join('-')}`;
      if (!one.parts.includes('lost')) place.snapshots.set(snapshot, aSnapshot(...one.parts));
      place.change(one.name, { snapshot });
      break;
    }
    case 'component':
      place.store.gone.delete(one.component);
      place.components.set(one.component, aComponent(one.component, { replicas: one.replicas }));
      break;
    case 'break':
      if (place.components.has(one.component))
        place.components.set(one.component, aComponent(one.component, { unsupportedEnv: ['A'] }));
      break;
    case 'end':
      if (place.components.has(one.component)) place.endComponent(one.component);
      break;
    case 'refuse':
      place.refusal = one.refuses ? { reason: 'No', message: 'No' } : undefined;
      break;
    case 'spoil':
      place.tree = { ...place.tree, [patchOf(one.component, one.environment)]: spoilt };
      break;
    case 'environment':
      place.environments.set(
        one.environment,
        anEnvironment({ isAutomated: one.environment === 'dev', env: [{ name: 'V', value: one.value }] }),
      );
      break;
    default:
      place.pass(one.seconds);
  }
  if (one.is !== 'pass') place.knockAll();
}

const spoilt = 'mine: true\n';

function patchOf(part: string, where: string): string {
  return `components/${part}/overlays/${where}/deployment-patch.yaml`;
}

/** The user takes away what is in our way, and a drift pass has the repository compared. */
function mend(place: Place): void {
  place.tree = Object.fromEntries(Object.entries(place.tree).filter(([, text]) => text !== spoilt));
  place.ask('repo');
  place.pass(3_600);
}

/** What is deployed is deployed from a directory that stands. */
function expectFirmGround({ deployments, tree, bindings }: Place): void {
  const living = new Set([...bindings.values()].map(({ uid }) => uid));
  for (const { owner, spec } of deployments.values())
    if (living.has(owner ?? '')) expect(Object.keys(tree)).toContain(`${spec.source.path}/kustomization.yaml`);
}

describe('Bindings and a repository, whatever happens in which order', () => {
  it('never deploy from what does not stand, and come to rest with exactly what is wanted in Git', () => {
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 25, size: 'max' }), (happened) => {
        const place = aPlace();
        place.watch = expectFirmGround;
        for (const one of happened) take(place, one);
        place.meanwhile = undefined;
        place.refusal = undefined;
        place.knockAll();
        for (const { repositoryId } of place.store.rows.values()) place.ask(repositoryId);
        place.pass(3_600);
        mend(place);
        place.sync();

        expectRest(place);
        const rows = [...place.store.rows.values()];
        const wanted = rows.flatMap(({ wanted: inputs, environment: of }) =>
          inputs.map((input) => `components/${input.component}/overlays/${of}`),
        );
        const expected = [...new Set(wanted)].toSorted();
        const usersKeepSome = happened.some(({ event: one }) => one.is === 'spoil');
        expect(overlaysIn(place)).toEqual(usersKeepSome ? expect.arrayContaining(expected) : expected);
        expect(place.repair().size).toBe(0);
      }),
      { numRuns: 100 },
    );
  });
});
