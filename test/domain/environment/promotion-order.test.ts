import { describe, expect, it } from 'vitest';
import { promotionOrder } from '../../../shared/domain/environment/promotion-order.ts';

/** `prod<stage` has stage as its parent. */
function links(...words: readonly string[]) {
  return words.map((word) => {
    const [name = '', parent = ''] = word.split('<');
    return { name, parent };
  });
}

describe('the order of promotion', () => {
  it('starts at those without a parent and goes down one depth at a time', () => {
    const order = promotionOrder(links('prod-2<stage', 'stage<dev', 'dev<poc', 'prod-1<stage', 'poc', 'lab'));

    expect(order.roots).toEqual(['lab', 'poc']);
    expect(['lab', 'poc', 'dev', 'stage', 'prod-1', 'prod-2'].map(order.depthOf)).toEqual([0, 0, 1, 2, 3, 3]);
    expect(order.childrenOf('stage')).toEqual(['prod-1', 'prod-2']);
    expect(order.childrenOf('prod-1')).toEqual([]);
    expect(['poc', 'prod-2'].map(order.cycleOf)).toEqual([undefined, undefined]);
  });

  it('takes one whose parent is not there for a start, and says so', () => {
    const order = promotionOrder(links('prod<stage', 'dev'));

    expect(order.roots).toEqual(['dev', 'prod']);
    expect(order.depthOf('prod')).toBe(0);
    expect(['prod', 'dev', 'stage'].map(order.isParentMissing)).toEqual([true, false, false]);
    expect(order.childrenOf('stage')).toEqual([]);
  });

  it('has no depth for what stands in a circle, or behind one', () => {
    const order = promotionOrder(links('a<b', 'b<c', 'c<a', 'behind<b', 'further<behind', 'free'));

    expect(order.roots).toEqual(['free']);
    expect(['a', 'b', 'c', 'behind', 'further', 'free'].map(order.depthOf)).toEqual([
      ...Array.from({ length: 5 }, () => undefined),
      0,
    ]);
    expect(order.childrenOf('b')).toEqual(['a', 'behind']);
  });

  it('tells a circle in the same words to each of its members, and to nobody else', () => {
    const order = promotionOrder(links('b<c', 'c<a', 'a<b', 'behind<c', 'x<y', 'y<x', 'self<self'));

    expect(['a', 'b', 'c'].map(order.cycleOf)).toEqual(Array.from({ length: 3 }, () => ['a', 'b', 'c']));
    expect(['x', 'y'].map(order.cycleOf)).toEqual([
      ['x', 'y'],
      ['x', 'y'],
    ]);
    expect(order.cycleOf('self')).toEqual(['self']);
    expect(order.cycleOf('behind')).toBeUndefined();
    expect(order.isParentMissing('self')).toBe(false);
  });

  it('is the same in whatever order the Environments come', () => {
    const all = links('prod<stage', 'stage<dev', 'dev', 'a<b', 'b<a', 'lost<nowhere', 'c<a');
    const names = all.map(({ name }) => name);
    const told = (order: ReturnType<typeof promotionOrder>) => ({
      roots: order.roots,
      each: names.map((name) => [order.depthOf(name), order.cycleOf(name), order.childrenOf(name)]),
    });

    expect(told(promotionOrder(all.toReversed()))).toEqual(told(promotionOrder(all)));
    expect(told(promotionOrder([...all.slice(3), ...all.slice(0, 3)]))).toEqual(told(promotionOrder(all)));
  });

  it('takes a chain, a circle and a family of many thousands', () => {
    const many = 20_000;
    const name = (number: number) => `e${String(number).padStart(5, '0')}`;
    const chain = Array.from({ length: many }, (_none, at) => ({
      name: name(at),
      parent: at === 0 ? '' : name(at - 1),
    }));
    const circle = chain.map((link, at) => (at === 0 ? { ...link, parent: name(many - 1) } : link));
    const family = chain.map((link, at) => (at === 0 ? link : { ...link, parent: name(0) }));

    expect(promotionOrder(chain).depthOf(name(many - 1))).toBe(many - 1);
    expect(promotionOrder(circle).cycleOf(name(7))).toHaveLength(many);
    expect(promotionOrder(family).childrenOf(name(0))).toHaveLength(many - 1);
  });

  it('knows nothing of one that is not there', () => {
    const order = promotionOrder([]);

    expect([order.roots, order.depthOf('dev'), order.cycleOf('dev'), order.isParentMissing('dev')]).toEqual([
      [],
      undefined,
      undefined,
      false,
    ]);
  });
});
