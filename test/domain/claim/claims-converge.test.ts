import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseTarget, fits } from '../../../shared/domain/claim/choose-target.ts';
import { aPlace, apply, createClaim, createTarget, decide, observe, type Place } from './claims-in-memory.ts';

type Event =
  | { readonly is: 'claim'; readonly claim: string; readonly cpu: string; readonly wants: string }
  | { readonly is: 'target'; readonly target: string; readonly cpu: string; readonly keeps: string }
  | { readonly is: 'look'; readonly claim: string; readonly most: number }
  | { readonly is: 'race'; readonly claim: string; readonly other: string }
  | { readonly is: 'delete claim'; readonly claim: string }
  | { readonly is: 'delete target'; readonly target: string };

const claim = fc.constantFrom('a', 'b', 'c');
const target = fc.constantFrom('t1', 't2', 't3');
const cpu = fc.constantFrom('1', '2', '500m');
const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ is: fc.constant('claim' as const), claim, cpu, wants: fc.constantFrom('', '', 't1') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ is: fc.constant('target' as const), target, cpu, keeps: fc.constantFrom('', '', 'a') }),
  },
  { weight: 6, arbitrary: fc.record({ is: fc.constant('look' as const), claim, most: fc.nat(6) }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('race' as const), claim, other: claim }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('delete claim' as const), claim }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('delete target' as const), target }) },
);
const events = fc.array(event, { maxLength: 40, size: 'max' });

describe('claims and targets, whatever happens in which order and whoever dies where', () => {
  it('no two claims are ever sure of one target', () => {
    fc.assert(
      fc.property(events, (happened) => {
        const place = aPlace();
        const bonds = new Map<string, string>();
        for (const one of happened) {
          happen(place, one);
          expectSure(place, bonds);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('they come to rest: every claim has its target or says why not, and no free one is left that a claim waits for', () => {
    fc.assert(
      fc.property(events, (happened) => {
        const place = aPlace();
        for (const one of happened) happen(place, one);

        for (let round = 0; round < 4; round += 1)
          for (const name of [...place.claims.keys()]) happen(place, { is: 'look', claim: name, most: 10 });

        for (const one of place.claims.values()) {
          expect(decide(place, one.name).effects).toEqual([]);
          expect(['Bound', 'Pending', 'Lost']).toContain(one.phase);
          expect(one.said.find(({ type }) => type === 'Bound')?.status).toBe(one.phase === 'Bound' ? 'True' : 'False');
          if (one.phase === 'Pending') expectNothingLeft(place, one.name);
        }
      }),
      { numRuns: 500 },
    );
  });
});

function happen(place: Place, one: Event): void {
  switch (one.is) {
    case 'claim':
      createClaim(place, one.claim, { targetName: one.wants, resources: { requests: { cpu: one.cpu } } });
      break;
    case 'target': {
      const kept = one.keeps === '' ? undefined : { name: one.keeps };
      createTarget(place, one.target, { claim: kept, resources: { requests: { cpu: one.cpu } } });
      break;
    }
    case 'look':
      apply(place, observe(place, one.claim), decide(place, one.claim), one.most);
      break;
    case 'race': {
      // Both look before either writes.
      const looks = [one.claim, one.other].map((name) => ({ seen: observe(place, name), step: decide(place, name) }));
      for (const { seen, step } of looks) apply(place, seen, step);
      break;
    }
    case 'delete claim': {
      const found = place.claims.get(one.claim);
      if (found?.isHeld) place.claims.set(one.claim, { ...found, isDeleting: true, version: `${found.version}0` });
      else place.claims.delete(one.claim);
      break;
    }
    default:
      place.targets.delete(one.target);
  }
}

/**
 * Whoever says Bound has a target that names it, so nobody else can say it of the same. A target that was deleted and made
 * again since then is another one: `bonds` has the UIDs of the claims and of the targets that they were bound to.
 */
function expectSure({ claims, targets }: Place, bonds: Map<string, string>): void {
  for (const { uid, targetName, phase } of [...claims.values()].filter(({ isDeleting }) => !isDeleting)) {
    const found = targets.get(targetName);
    if (phase !== 'Bound') bonds.delete(uid);
    else if (!bonds.has(uid)) bonds.set(uid, found?.uid ?? '');
    if (found !== undefined && found.uid === bonds.get(uid)) expect(found.claim?.uid).toBe(uid);
  }
  const taken = [...targets.values()].flatMap(({ claim: reference }) => reference?.uid ?? []);
  expect(new Set(taken).size).toBe(taken.length);
}

function expectNothingLeft({ claims, targets }: Place, name: string): void {
  const waiting = claims.get(name);
  if (waiting === undefined) return;
  const all = [...targets.values()];
  expect(chooseTarget(waiting, all).kind).not.toBe('bind');
  if (waiting.targetName === '' && chooseTarget(waiting, all).kind === 'none')
    expect(all.filter((one) => fits(one, waiting))).toEqual([]);
}
