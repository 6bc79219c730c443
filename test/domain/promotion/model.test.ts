import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOurs } from '../../../shared/domain/promotion/is-ours.ts';
import type { Goal, Run } from '../../../shared/domain/promotion/promotion.ts';
import { anEnvironment } from './a-promotion.ts';
import { inWords, placeOf, Town } from './promotions-in-memory.ts';

const places = ['e0', 'e1', 'e2', 'e3', 'e4'] as const;
const place = fc.constantFrom(...places);
const application = fc.constantFrom('shop', 'cart');
const component = fc.constantFrom('web', 'api');
const snapshot = fc.constantFrom('v1', 'v2', 'v3');
const name = fc.constantFrom('a', 'b', 'c', 'd');
/** Most have one of before as their parent. Some have any other one, or themselves, or one that is not there: circles are part of life. */
const drawnAt = (index: number) =>
  fc.record({
    parent: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...places.slice(0, index), index === 0 ? '' : 'e0') },
      { weight: 1, arbitrary: fc.constantFrom('', ...places, 'nowhere') },
    ),
    isAutomated: fc.constantFrom(true, true, true, false),
    isClaiming: fc.constantFrom(false, false, false, true),
    controller: fc.constantFrom('', '', '', '', '', '', '', '', 'integration'),
  });
const drawn = drawnAt(places.length);
type Drawn = typeof drawn extends fc.Arbitrary<infer D> ? D : never;
const goal = fc.oneof(
  fc.record({ kind: fc.constant('manual' as const), target: place }),
  fc.record({
    kind: fc.constant('automated' as const),
    initial: fc.oneof(fc.constant(['e0']), fc.subarray([...places], { minLength: 1, maxLength: 2 })),
  }),
);
const said = fc.record({
  sync: fc.constantFrom('Synced', 'Synced', 'OutOfSync'),
  health: fc.constantFrom('Healthy', 'Healthy', 'Degraded', 'Progressing'),
  age: fc.constantFrom(0, 0, 0, 1, 3),
});

const make = fc.record({
  is: fc.constant('make' as const),
  name,
  application,
  snapshot,
  goal,
  cause: fc.constantFrom('', 'Snapshot v1', 'PromotionRun before'),
});

const say = fc.record({ is: fc.constant('say' as const), application, place, component, said });
const deployed = fc.record({ is: fc.constant('deploy' as const), said });

const event = fc.oneof(
  { weight: 4, arbitrary: make },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('remove' as const), name }) },
  { weight: 12, arbitrary: fc.record({ is: fc.constant('work' as const) }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('render' as const) }) },
  { weight: 4, arbitrary: deployed },
  { weight: 3, arbitrary: say },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('draw' as const), place, drawn }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('raze' as const), place }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('ready' as const), place }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('break' as const), component, mends: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constant('edit' as const), application, place, snapshot: fc.option(snapshot) }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('unbind' as const), application, place }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('freeze anew' as const), snapshot }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('hand over' as const), application, isAway: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ is: fc.constant('pass' as const), seconds: fc.constantFrom(1, 20, 100, 400) }) },
);
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

/** Most happens one after the other; some of it while the function works, or it dies of it, a knock gets lost or comes twice, or lists lag behind. */
const luck = fc.constantFrom('good', 'good', 'good', 'good', 'good', 'meanwhile', 'death', 'loss', 'double', 'lag');
/** Before whoever died looks again, Argo CD may have said something else. */
const after = fc.option(fc.oneof(say, deployed));
const turn = fc.record({ event, luck, at: fc.nat(4), after });
/** How every story begins. */
const beginning = fc.record({ event: make, luck, at: fc.nat(4), after });
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

function aTown(drawings: readonly Drawn[], manual: readonly string[]): Town {
  const town = new Town();
  town.applications.set('cart', '');
  for (const version of ['v1', 'v2', 'v3'])
    town.freeze(version, version === 'v3' ? { web: 'web:v3' } : { web: `web:${version}`, api: 'api:1' });
  for (const [index, one] of drawings.entries()) draw(town, places[index] ?? 'e0', one);
  for (const one of manual) town.manual.add(one);
  return town;
}

function draw(town: Town, at: string, but: Drawn): void {
  town.environments.set(at, anEnvironment(at, { ...but, stepDeadlineSeconds: 300, targetDeadlineSeconds: 600 }));
  if (but.isClaiming) town.unready.add(at);
  else town.unready.delete(at);
}

function deploy(town: Town, word: { sync: string; health: string; age?: number }): void {
  for (const { name: binding, components } of [...town.bindings.values()])
    for (const { name: part } of components) town.report(binding, part, word);
}

const bindingOf = (of: string, at: string): string => `${of}-${at}-binding`;

function happen(town: Town, one: Event): void {
  switch (one.is) {
    case 'make': {
      const { application: of, snapshot: what, goal: to, cause } = one;
      town.make(one.name, { application: of, snapshot: what, goal: to as Goal, cause });
      break;
    }
    case 'remove':
      town.remove(one.name);
      break;
    case 'render':
      town.render();
      break;
    case 'deploy':
      deploy(town, one.said);
      break;
    case 'work':
      // Everybody does what is asked of them.
      town.render();
      town.serve();
      deploy(town, { sync: 'Synced', health: 'Healthy' });
      break;
    case 'say':
      town.report(bindingOf(one.application, one.place), one.component, one.said);
      break;
    case 'draw':
      draw(town, one.place, one.drawn);
      break;
    case 'raze':
      town.environments.delete(one.place);
      break;
    case 'ready':
      town.unready.delete(one.place);
      break;
    case 'break':
      if (one.mends) town.broken.delete(one.component);
      else town.broken.add(one.component);
      break;
    case 'edit':
      town.change(bindingOf(one.application, one.place), one.snapshot === null ? {} : { snapshot: one.snapshot });
      break;
    case 'unbind':
      town.bindings.delete(bindingOf(one.application, one.place));
      town.renderings.delete(bindingOf(one.application, one.place));
      break;
    case 'freeze anew':
      town.freeze(one.snapshot, { web: `web:${one.snapshot}-${town.images.size}` });
      break;
    case 'hand over':
      town.applications.set(one.application, one.isAway ? 'integration' : '');
      break;
    default:
      town.pass(one.seconds);
  }
}

function take(town: Town, { event: one, luck: had, at, after: then }: Turn): void {
  if (had === 'death') town.diesAfter = at;
  if (had === 'death' && then !== null) town.afterDeath = () => happen(town, then);
  if (had === 'loss') town.loses = at;
  if (had === 'lag') town.lag();
  if (had === 'meanwhile' && one.is !== 'pass') town.meanwhile = () => happen(town, one);
  else happen(town, one);
  if (had === 'double') for (const run of town.runs.keys()) town.knock(run);
  town.serve();
  town.catchUp();
  town.afterDeath = undefined;
}

/**
 * At most one at a time, nobody is done without having been seen everywhere, and whoever is done stays as it is. What was told
 * of an environment that had its end is not taken back, and after a failure nothing begins.
 */
function watchOver(): (town: Town) => void {
  const ended = new Map<string, Run['status']>();
  const told = new Map<string, Run['status']['environmentStatus']>();
  return (town) => {
    for (const { uid, name: one, status } of town.runs.values()) {
      const before = told.get(uid) ?? [];
      for (const { environmentName, status: was } of before.filter((known) => known.status !== 'in-progress'))
        expect(
          status.environmentStatus.find((known) => known.environmentName === environmentName)?.status,
          `${one} had told of ${environmentName}`,
        ).toBe(was);
      if (before.some((known) => known.status === 'failed'))
        expect(status.environmentStatus.length, `${one} had failed`).toBe(before.length);
      told.set(uid, status.environmentStatus);
    }
    const active = new Map<string, string>();
    for (const run of town.runs.values()) {
      const { status, application: of, uid } = run;
      if (status.state === 'Active' && active.has(of))
        throw new Error(`of ${of} are active: ${active.get(of)} and ${run.name}`);
      if (status.state === 'Active') active.set(of, run.name);
      if (status.state !== 'Completed' || ended.get(uid) === status) continue;
      expect(ended.get(uid) ?? status, `${run.name} had ended`).toEqual(status);
      ended.set(uid, status);
      if (status.completionResult === 'Success') expectEvidence(town, run);
    }
  };
}

/** Written down and told: what Argo CD really said, at a revision whose files have the image of the snapshot. */
function expectEvidence(town: Town, run: Run): void {
  const steps = [...(town.steps.get(run.uid)?.values() ?? [])];
  expect(steps.length).toBeGreaterThan(0);
  expect(run.status.environmentStatus.map(({ environmentName }) => environmentName).toSorted()).toEqual(
    steps.map(({ environment }) => environment).toSorted(),
  );
  const [snapshotUid = '', ...others] = new Set(steps.map((step) => step.snapshotUid));
  expect(others, `${run.name} has brought several snapshots by the name of ${run.snapshot}`).toEqual([]);
  const images = town.images.get(snapshotUid) ?? {};
  expect(Object.keys(images)).not.toEqual([]);
  for (const step of steps) {
    const told = run.status.environmentStatus.find((one) => one.environmentName === step.environment);
    expect([step.status, told?.status]).toEqual(['success', 'success']);
    for (const [part, image] of Object.entries(images)) {
      const found = step.evidence.find((one) => one.component === part);
      const { seen } = found ?? {};
      const at = Number(seen?.revision.slice(1));
      expect(seen, `${run.name} in ${step.environment}: nothing was seen of ${part}`).toMatchObject({
        sync: 'Synced',
        health: 'Healthy',
      });
      expect(town.said).toContain(seen && inWords(found?.deployment ?? '', seen));
      expect(at).toBeGreaterThanOrEqual(Number(step.commit.slice(1)));
      expect(town.trees[at]?.[placeOf({ ...run, environment: step.environment }, part)]).toBe(image);
      expect(told?.components.find((one) => one.name === part)?.revision).toBe(seen?.revision);
    }
  }
}

/** What a run has changed it tells of. */
function expectAllTold(town: Town): void {
  for (const { promotion, snapshot: stands, application: of, environment } of town.bindings.values()) {
    const run = town.runs.get(promotion);
    if (run?.snapshot !== stands || run.application !== of) continue;
    const all = run.status.environmentStatus.map(({ environmentName }) => environmentName);
    expect(all, `${run.name} has changed a Binding`).toContain(environment);
  }
}

function isOver(town: Town): boolean {
  const isOpen = ({ state }: { readonly state?: string | undefined }): boolean => state !== 'Completed';
  return ![...town.rows.values()].some(isOpen) && ![...town.runs.values()].some(({ status }) => isOpen(status));
}

/** No step takes longer than it may, by the second. */
function expectInTime(town: Town): void {
  for (const steps of town.steps.values())
    for (const { ended, began, ready, environment } of steps.values()) {
      if (ended === undefined) continue;
      expect(ended - (ready ?? began), environment).toBeLessThanOrEqual(
        (ready === undefined ? 600 : 300) * 1_000 + 1_000,
      );
    }
}

/** Whoever waits says why, since when and until when. */
function expectReasons(town: Town): void {
  for (const { name: one, status, application: of } of town.runs.values())
    if (isOurs(town.applications.get(of) ?? '') && (status.state === 'Waiting' || status.state === 'Active'))
      expect(status.waiting, `${one} is ${status.state}`).toMatchObject({
        reason: expect.stringMatching(/^[A-Z]/),
        since: expect.stringMatching(/Z$/),
        until: expect.stringMatching(/Z$/),
      });
}

const story = fc.record({
  drawings: fc.tuple(...places.map((_place, index) => drawnAt(index))),
  manual: fc.subarray([...places], { maxLength: 2 }),
  turns: fc
    .tuple(
      fc.array(beginning, { minLength: 1, maxLength: 4, size: 'max' }),
      fc.array(turn, { minLength: 5, maxLength: 30, size: 'max' }),
    )
    .map((both): readonly Turn[] => both.flat()),
  order: fc.array(fc.nat(6), { minLength: 1, maxLength: 5 }),
});

describe('promotions, whatever happens in which order', () => {
  it('are active one at a time, begin in the order they were made in, succeed by evidence alone, and all come to an end', () => {
    const ends = { Success: 0, Failure: 0, far: 0, syncs: 0 };
    fc.assert(
      fc.property(story, ({ drawings, manual, turns, order }) => {
        const town = aTown(drawings, manual);
        let chosen = 0;
        town.choose = () => {
          chosen += 1;
          return order[chosen % order.length] ?? 0;
        };
        town.watch = watchOver();
        town.onTurn = (run, overtaken) => expect(overtaken, `${run.name} goes before`).toEqual([]);
        const isHandedOver = turns.some(({ event: one }) => one.is === 'hand over');
        for (const one of turns) take(town, one);
        town.diesAfter = undefined;
        town.loses = 0;
        town.meanwhile = undefined;
        for (const of of town.applications.keys()) town.applications.set(of, '');
        town.serve();

        // A drift pass later everybody has been looked at.
        town.pass(601);
        expectReasons(town);
        // Every run may pass every environment, and each of them may take as long as its target and its step may.
        const longest = town.runs.size * places.length * (600 + 300) + 1_200;
        for (let passed = 0; passed < longest && !isOver(town); passed += 300) town.pass(300);

        for (const { status, name: one } of town.runs.values()) {
          expect(status.state, one).toBe('Completed');
          if (status.completionResult !== undefined) ends[status.completionResult] += 1;
          if (status.environmentStatus.some(({ step }) => step > 1)) ends.far += 1;
        }
        ends.syncs += town.syncs.size;
        expect([...town.rows.values()].filter(({ state }) => state !== 'Completed')).toEqual([]);
        if (!isHandedOver) expectInTime(town);
        // One that is made again under its name is taken for the one of before, which nobody can ask any more.
        if (!turns.some(({ event: one }) => one.is === 'remove')) expectAllTold(town);
        expect(town.rehearse().flatMap(({ effects }) => effects)).toEqual([]);
      }),
      { numRuns: 300 },
    );
    // The stories are worth something: all of it comes about.
    expect(Math.min(...Object.values(ends)), JSON.stringify(ends)).toBeGreaterThan(20);
  });
});
