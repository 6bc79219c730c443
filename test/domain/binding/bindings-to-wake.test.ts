import { describe, expect, it } from 'vitest';
import { decideBindingsToWake } from '../../../shared/domain/binding/decide-bindings-to-wake.ts';

describe('the Bindings that are woken', () => {
  const bindings = [
    { name: 'a', application: 'shop', environment: 'dev', snapshot: 'v1' },
    { name: 'b', application: 'shop', environment: 'prod', snapshot: 'v2' },
    { name: 'c', application: 'cart', environment: 'dev', snapshot: 'v3' },
  ];
  const knocks = (name: string) => decideBindingsToWake({ namespace: 'team', name, bindings }).knocks;

  it.each([
    ['AS-30 are those of an Application, or of the application of a Component', 'shop', ['a', 'b']],
    ['AS-29 B13 are those of an Environment', 'dev', ['a', 'c']],
    ['are those of a Snapshot, and no others of its application', 'v2', ['b']],
    ['B14 are none where nothing is about it', 'ghost', []],
  ])('%s', (_what, name, expected) => {
    expect(knocks(name).map(({ subject }) => subject.name)).toEqual(expected);
  });

  it('are knocked at under the key of their application', () => {
    expect(knocks('v3')).toEqual([
      { type: 'binding.changed.v1', subject: { namespace: 'team', name: 'c', application: 'cart' } },
    ]);
  });
});
