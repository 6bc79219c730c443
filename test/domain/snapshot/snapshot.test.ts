import { describe, expect, it } from 'vitest';
import { snapshotNames } from '../../../shared/domain/snapshot/choose-snapshot.ts';
import { builtComponents, contentOf, snapshotSpec } from '../../../shared/domain/snapshot/snapshot.ts';
import { aComponent } from './a-component.ts';

const source = { url: 'https://git.example/web', revision: 'main' };

describe('what a Snapshot holds', () => {
  it('S08 is what is built, stays and can be deployed, in the order of names', () => {
    const built = builtComponents(
      [
        aComponent('web'),
        aComponent('unbuilt', { image: '' }),
        aComponent('going', { isDeleting: true }),
        aComponent('broken', { image: 'a b' }),
        aComponent('other', { application: 'bank' }),
        aComponent('Api'),
        aComponent('api'),
      ],
      'shop',
      [],
    );

    expect(built.map(({ name }) => name)).toEqual(['Api', 'api', 'web']);
  });

  it('S01 keeps every image exactly as it was written', () => {
    const images = ['registry:5000/a@sha256:ABC', 'a:Latest', 'docker.io/library/a', 'ümlaut'];
    const built = images.map((image, place) => aComponent(`c${place}`, { image }));

    expect(snapshotSpec(built, 'shop').components.map(({ containerImage }) => containerImage)).toEqual(images);
  });

  it('S11 names the last built commit as the revision, else what the user asked for, else none', () => {
    const built = [
      aComponent('a', { source, commit: 'c0ffee' }),
      aComponent('b', { source }),
      aComponent('c', { source: { ...source, revision: '' } }),
      aComponent('d', { commit: 'c0ffee' }),
    ];

    expect(snapshotSpec(built, 'shop')).toEqual({
      application: 'shop',
      components: [
        { name: 'a', containerImage: built[0]?.image, source: { git: { url: source.url, revision: 'c0ffee' } } },
        { name: 'b', containerImage: built[1]?.image, source: { git: { url: source.url, revision: 'main' } } },
        { name: 'c', containerImage: built[2]?.image, source: { git: { url: source.url } } },
        { name: 'd', containerImage: built[3]?.image },
      ],
      artifacts: {
        unstableFields: {
          build: [{ containerImage: built[0]?.image, sourceRepository: { url: source.url, commitID: 'c0ffee' } }],
        },
      },
    });
  });

  it('S12 is told apart by names and images alone', () => {
    const one = [aComponent('a'), aComponent('b')];

    expect(contentOf([aComponent('a', { commit: 'x', source }), aComponent('b')])).toBe(contentOf(one));
    expect(contentOf([aComponent('a', { image: 'x' }), aComponent('b')])).not.toBe(contentOf(one));
    expect(contentOf([aComponent('a')])).not.toBe(contentOf(one));
    expect(contentOf([aComponent('a","b', { image: 'c' })])).not.toBe(contentOf([aComponent('a', { image: 'b","c' })]));
  });
});

describe('the name of a Snapshot', () => {
  const digest = '0123456789abcdef0123456789abcdef';

  it('is that of its Application and some of its digest', () => {
    expect(snapshotNames('shop', digest)).toEqual(['shop-0123456789', 'shop-0123456789abcdef0123']);
  });

  it('S24 fits a label, however long the name of the Application is', () => {
    const [short, long] = snapshotNames(`${'a'.repeat(51)}-${'b'.repeat(100)}`, digest);

    expect(short).toBe(`${'a'.repeat(51)}-0123456789`);
    expect(long).toBe(`${'a'.repeat(42)}-0123456789abcdef0123`);
  });
});
