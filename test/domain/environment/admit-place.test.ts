import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admitParent, admitRemoval, type OtherEnvironment } from '../../../shared/domain/environment/admit-place.ts';
import { letIn } from '../../../shared/domain/gitops/admit.ts';

function others(parents: Readonly<Record<string, string>>, leaving: readonly string[] = []): OtherEnvironment[] {
  return Object.entries(parents).map(([name, parent]) => ({ name, parent, isDeleting: leaving.includes(name) }));
}

describe('the parent of an Environment', () => {
  it.each<[string, string, Readonly<Record<string, string>>]>([
    ['none', '', {}],
    ['one that is not there yet', 'staging', {}],
    ['one at the start of the way', 'staging', { staging: '' }],
    ['one further on the way', 'staging', { dev: '', test: 'dev', staging: 'test' }],
    ['one that others have, too', 'dev', { dev: '', staging: 'dev', test: 'dev' }],
    ['one whose own parent is not there', 'staging', { staging: 'gone' }],
    ['one in a circle of others', 'a', { a: 'b', b: 'a' }],
    ['one behind a circle of others', 'c', { a: 'b', b: 'a', c: 'a' }],
  ])('may be %s', (_which, parent, parents) => {
    expect(admitParent({ name: 'prod', parent }, others({ prod: 'old', ...parents }))).toEqual(letIn);
  });

  it.each<[string, string, Readonly<Record<string, string>>, string]>([
    ['itself', 'prod', {}, 'prod → prod'],
    ['its own child', 'staging', { staging: 'prod' }, 'prod → staging → prod'],
    ['a later descendant', 'a', { a: 'b', b: 'c', c: 'prod' }, 'a → b → c → prod → a'],
  ])('may not be %s', (_which, parent, parents, way) => {
    expect(admitParent({ name: 'prod', parent }, others({ ...parents, prod: '' })).refused).toBe(
      `Each of these Environments names the next one as its parent, so no promotion ever gets there: ${way}. Give one of them another parentEnvironment`,
    );
  });

  it('what is let in one by one never makes a circle', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const write = fc.record({ name: fc.constantFrom(...names), parent: fc.constantFrom('', ...names) });
    fc.assert(
      fc.property(fc.array(write, { maxLength: 30 }), (writes) => {
        const parents: Record<string, string> = {};
        for (const { name, parent } of writes)
          if (admitParent({ name, parent }, others(parents)).refused === undefined) parents[name] = parent;

        for (const name of Object.keys(parents)) {
          let at = name;
          for (let steps = 0; at !== ''; steps += 1) {
            expect(steps).toBeLessThanOrEqual(names.length);
            at = parents[at] ?? '';
          }
        }
      }),
    );
  });
});

describe('deleting an Environment', () => {
  it.each<[string, readonly OtherEnvironment[]]>([
    ['that is alone', []],
    ['at the end of the way', others({ dev: '', staging: 'dev' })],
    ['that is its own parent', others({ staging: 'staging' })],
    ['whose children are being deleted', others({ staging: '', prod: 'staging' }, ['prod'])],
  ])('%s is fine', (_which, there) => {
    expect(admitRemoval('staging', there)).toEqual(letIn);
  });

  it('that is the parent of others is refused, and they are named', () => {
    const there = others({ staging: 'dev', prod: 'staging', demo: 'staging', old: 'staging' }, ['old']);

    expect(admitRemoval('staging', there).refused).toBe(
      'Environment staging is the parentEnvironment of demo, prod: give them another parent or delete them, then this Environment may be deleted',
    );
    expect(admitRemoval('dev', there).refused).toBe(
      'Environment dev is the parentEnvironment of staging: give it another parent or delete it, then this Environment may be deleted',
    );
  });

  it('with very many children names some of them', () => {
    const many = others(Object.fromEntries(Array.from({ length: 25 }, (_each, at) => [`e${at}`, 'staging'])));

    expect(admitRemoval('staging', many).refused).toMatch(/of e0, e1, e10, .* and 15 more: give them/);
  });
});
