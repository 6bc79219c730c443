import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtComponents } from '../../../shared/domain/snapshot/snapshot.ts';
import { shop } from './a-component.ts';
import { aPlace, build, look, newest, type Place, remove } from './snapshots-in-memory.ts';

type Event =
  | { readonly is: 'build'; readonly name: string; readonly version: number }
  | { readonly is: 'remove'; readonly name: string }
  /** Somebody is woken for the Component; its moments come when `go on` says so. */
  | { readonly is: 'wake'; readonly name: string }
  | { readonly is: 'go on'; readonly who: number }
  | { readonly is: 'die'; readonly who: number }
  | { readonly is: 'delete snapshot' };

const name = fc.constantFrom('web', 'api', 'jobs');
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ is: fc.constant('build' as const), name, version: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('remove' as const), name }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('wake' as const), name }) },
  { weight: 9, arbitrary: fc.record({ is: fc.constant('go on' as const), who: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('die' as const), who: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('delete snapshot' as const) }) },
);
const events = fc.array(event, { maxLength: 60, size: 'max' });

describe('Snapshots of an Application, whoever builds and looks in which order and whoever dies where', () => {
  it('S29 an older state never takes the place of a newer one', () => {
    fc.assert(
      fc.property(events, (happened) => {
        const place = aPlace();
        happen(place, happened);

        expect(isOlderFirst(place)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('S30 nothing that is there is lost from one state to the next, though its image be emptied', () => {
    fc.assert(
      fc.property(events, (happened) => {
        const place = aPlace();
        happen(place, happened);

        expect(place.lost).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('S28 the last look finds all that is built, and nothing is left to do', () => {
    fc.assert(
      fc.property(events, (happened) => {
        const place = aPlace();
        happen(
          place,
          happened.filter(({ is }) => is !== 'delete snapshot'),
        );

        expect(toItsEnd(place, 'web')).toBe(true);
        expectNewest(place);
        const { row, snapshots } = place;
        const made = snapshots.size;
        expect(toItsEnd(place, 'api')).toBe(true);
        expect(place.row).toBe(row);
        expect(snapshots.size).toBe(made);
      }),
      { numRuns: 1_000 },
    );
  });

  it('S28 S29 two that are built at once end in a Snapshot with both, in every interleaving and with every death', () => {
    const both = ['api', 'web'].map((one) => ({ name: one, containerImage: `quay.io/shop/${one}:2` }));
    const wrong: unknown[] = [];
    // Six moments are a build and a look that nobody disturbs. Whoever is disturbed looks again at the end, as one whose
    // message is delivered again does.
    for (const order of interleavings(6, 6))
      for (const dies of [1, 2, 3, 4, 5, 6]) {
        const place = aPlace();
        build(place, 'web', 1);
        build(place, 'api', 1);
        toItsEnd(place, 'web');
        const [web, api] = [working(place, 'web'), working(place, 'api')];
        let moments = 0;
        for (const isWeb of order) {
          if (!isWeb) api.next();
          else if (moments < dies) web.next();
          if (isWeb) moments += 1;
        }
        for (const one of ['web', 'api']) toItsEnd(place, one);
        if (!isDeepStrictEqual(newest(place), both) || !isOlderFirst(place)) wrong.push({ order, dies, place });
      }

    expect(wrong).toEqual([]);
  });
});

function happen(place: Place, happened: readonly Event[]): void {
  const looking: Generator<void, boolean>[] = [];
  for (const one of happened) {
    switch (one.is) {
      case 'build':
        build(place, one.name, one.version);
        break;
      case 'remove':
        remove(place, one.name);
        break;
      case 'wake':
        looking.push(look(place, one.name));
        break;
      case 'go on':
        looking[one.who % Math.max(1, looking.length)]?.next();
        break;
      case 'die':
        looking.splice(one.who, 1);
        break;
      default:
        place.snapshots.delete(place.row?.snapshot ?? '');
    }
  }
}

/** Builds the second version, then looks. */
function* working(place: Place, name: string): Generator<void, void> {
  build(place, name, 2);
  yield;
  yield* look(place, name);
}

/** Alone, as one who looks again has it at last. */
function toItsEnd(place: Place, name: string): boolean {
  const looking = look(place, name);
  let moment = looking.next();
  while (!moment.done) moment = looking.next();
  return moment.value;
}

function isOlderFirst({ frozenAt }: Place): boolean {
  return isDeepStrictEqual(
    frozenAt,
    frozenAt.toSorted((one, other) => one - other),
  );
}

function expectNewest(place: Place): void {
  const built = builtComponents([...place.components.values()], shop.name, place.row?.frozen ?? []);
  if (built.length > 0)
    expect(newest(place)).toEqual(built.map((one) => ({ name: one.name, containerImage: one.image })));
}

/** Every way to put so many moments of the one among so many of the other; true: it is the first one's turn. */
function* interleavings(one: number, other: number): Generator<readonly boolean[]> {
  if (one === 0 && other === 0) yield [];
  if (one > 0) for (const rest of interleavings(one - 1, other)) yield [true, ...rest];
  if (other > 0) for (const rest of interleavings(one, other - 1)) yield [false, ...rest];
}
