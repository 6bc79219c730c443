import { describe, expect, it } from 'vitest';
import { admitBinding, admitBindingChange } from '../../../shared/domain/binding/admit-binding.ts';

describe('a Binding that is written', () => {
  const pair = { application: 'shop', environment: 'dev' };
  const other = { name: 'first', ...pair };

  it.each<[string, Parameters<typeof admitBinding>[2], string | undefined]>([
    ['AW-05 alone is let in', [], undefined],
    [
      'AW-05 beside others is let in',
      [
        { ...other, environment: 'prod' },
        { ...other, application: 'cart' },
      ],
      undefined,
    ],
    ['AW-13 B21 again is not compared with itself', [{ ...other, name: 'mine' }], undefined],
    [
      'AW-05 B21 as the second of its pair is refused, whatever the order of the others',
      [{ ...other, name: 'later' }, other],
      'invalid SnapshotEnvironmentBinding: duplicate combination of Application (shop) and Environment (dev). Duplicated by: first',
    ],
  ])('%s', (_what, others, refused) => {
    expect(admitBinding('mine', pair, others)).toEqual({ refused, warnings: [] });
    expect(admitBinding('mine', pair, others.toReversed())).toEqual({ refused, warnings: [] });
  });

  it.each<[string, Partial<typeof pair>, string | undefined]>([
    ['AW-13 B22 may keep its pair', {}, undefined],
    ['AW-13 B22 keeps its application', { application: 'cart' }, 'application field cannot be updated to cart'],
    ['AW-13 B22 keeps its environment', { environment: 'prod' }, 'environment field cannot be updated to prod'],
    [
      'AW-13 B22 hears of both at once',
      { application: 'cart', environment: 'prod' },
      'application field cannot be updated to cart; environment field cannot be updated to prod',
    ],
  ])('%s', (_what, but, refused) => {
    expect(admitBindingChange({ ...pair, ...but }, pair)).toEqual({ refused, warnings: [] });
  });
});
