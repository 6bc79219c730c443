import { describe, expect, it } from 'vitest';
import { admitSnapshotChange } from '../../../shared/domain/snapshot/admit-snapshot.ts';

const web = { name: 'web', containerImage: 'quay.io/team/web:1' };
const stored = { application: 'shop', components: [web] };

describe('a Snapshot that is written again', () => {
  it.each<[string, object, string | undefined]>([
    ['AW-04 unchanged is let in', {}, undefined],
    [
      'AW-04 unchanged is let in, whatever the order of its fields',
      { components: [{ containerImage: web.containerImage, name: 'web' }] },
      undefined,
    ],
    ['AW-04 B23 keeps its application', { application: 'cart' }, 'application field cannot be updated to cart'],
    [
      'AW-04 B23 keeps the names of its components',
      { components: [{ ...web, name: 'api' }] },
      'components cannot be updated to [{"name":"api","containerImage":"quay.io/team/web:1"}]',
    ],
    [
      'AW-04 B23 keeps its images',
      { components: [{ ...web, containerImage: 'x' }] },
      'components cannot be updated to [{"name":"web","containerImage":"x"}]',
    ],
    [
      'AW-04 B23 gets no source afterwards',
      { components: [{ ...web, source: { git: { url: 'u' } } }] },
      'components cannot be updated to [{"name":"web","containerImage":"quay.io/team/web:1","source":{"git":{"url":"u"}}}]',
    ],
    ['B23 loses no component', { components: [] }, 'components cannot be updated to []'],
    [
      'B23 hears of its application first',
      { application: 'cart', components: [] },
      'application field cannot be updated to cart',
    ],
  ])('%s', (_what, but, refused) => {
    expect(admitSnapshotChange({ ...stored, ...but }, stored)).toEqual({ refused, warnings: [] });
  });

  it('is answered with no more than a person reads', () => {
    const components = Array.from({ length: 500 }, (_, index) => ({ ...web, name: `c${index}` }));

    expect(admitSnapshotChange({ ...stored, components }, stored).refused).toMatch(/^.{1000,1100}…$/);
  });
});
