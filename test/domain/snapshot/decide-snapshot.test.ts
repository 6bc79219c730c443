import { describe, expect, it } from 'vitest';
import { decideSnapshot } from '../../../shared/domain/snapshot/decide-snapshot.ts';
import type { SeenComponent } from '../../../shared/domain/snapshot/seen-component.ts';
import {
  aComponent,
  aFrozenSight,
  aRow,
  aSight,
  aSnapshot,
  aStored,
  digestOf,
  does,
  done,
  frozenOf,
  knocksOf,
  now,
  shop,
} from './a-component.ts';

interface Rule {
  readonly seen: SeenComponent;
  readonly does: readonly string[];
  readonly knocks?: readonly string[];
}

const web = aComponent('web');
const api = aComponent('api');
const web2 = aComponent('web', { image: 'quay.io/shop/web@sha256:2' });
const api2 = aComponent('api', { image: 'quay.io/shop/api@sha256:2' });
const emptied = aComponent('web', { image: '' });
const frozenBefore = aRow({
  sequence: 3,
  snapshot: 'shop-before',
  digest: digestOf([web, api]),
  frozen: frozenOf([api, web]),
});
const unbuilt = aComponent('jobs', { image: '' });
const name = (...components: Parameters<typeof digestOf>[0]) => `shop-${digestOf(components).slice(0, 10)}`;
const longName = (...components: Parameters<typeof digestOf>[0]) => `shop-${digestOf(components).slice(0, 20)}`;
const newer = (snapshot: string) => [`snapshot.changed.v1 ${snapshot}`];

const rules: Record<string, Rule> = {
  'S01 becomes a Snapshot with all of its Application when it is built': {
    seen: aSight([web, api]),
    does: [`create ${name(web, api)} 1`, `freeze ${name(web, api)} 1`],
    knocks: newer(name(web, api)),
  },
  'S05 S14 makes no Snapshot of a state that was frozen before, though somebody deleted it': {
    seen: aFrozenSight([web, api]),
    does: [],
  },
  'makes the next Snapshot when its image is another': {
    seen: aSight([web2, api], { row: aRow({ sequence: 3, snapshot: 'shop-before', digest: digestOf([web, api]) }) }),
    does: [`create ${name(web2, api)} 4`, `freeze ${name(web2, api)} 4`],
    knocks: newer(name(web2, api)),
  },
  'S08 S10 makes nothing while nothing is built': { seen: aSight([unbuilt]), does: [] },
  'S08 leaves out what is not built, and freezes the rest': {
    seen: aSight([unbuilt, web]),
    does: [`create ${name(web)} 1`, `freeze ${name(web)} 1`],
    knocks: newer(name(web)),
  },
  'leaves out what belongs to another Application': {
    seen: aSight([web, aComponent('other', { application: 'bank' })]),
    does: [`create ${name(web)} 1`, `freeze ${name(web)} 1`],
    knocks: newer(name(web)),
  },
  'leaves out an image that cannot be one': {
    seen: aSight([aComponent('api', { image: 'quay.io/a b' }), web]),
    does: [`create ${name(web)} 1`, `freeze ${name(web)} 1`, 'tell-user'],
    knocks: newer(name(web)),
  },
  'S30 whose image is emptied keeps the one that was frozen, and says so': {
    seen: aSight([emptied, api], { row: frozenBefore }),
    does: ['tell-user'],
  },
  'S30 whose image cannot be one keeps the one that was frozen, and says so': {
    seen: aSight([aComponent('web', { image: 'quay.io/a b' }), api], { row: frozenBefore }),
    does: ['tell-user'],
  },
  'S30 stays in the next Snapshot with what was frozen of it, when another is built': {
    seen: aSight([api2, emptied], { row: frozenBefore }),
    does: [`create ${name(web, api2)} 4`, `freeze ${name(web, api2)} 4`],
    knocks: newer(name(web, api2)),
  },
  'S30 that is made again has nothing of what was frozen of the first': {
    seen: aSight([aComponent('web', { uid: 'web-again', image: '' }), api], { row: frozenBefore }),
    does: [`create ${name(api)} 4`, `freeze ${name(api)} 4`],
    knocks: newer(name(api)),
  },
  'S12 S13 finds a Snapshot that somebody else made of the same images, in whatever order': {
    seen: aSight([web, api], { existing: [aSnapshot('by-hand', [web, api], { owner: undefined })] }),
    does: ['freeze by-hand 1'],
    knocks: newer('by-hand'),
  },
  'S05 S16 finds the Snapshot that it made before it died': {
    seen: aSight([web, api], { existing: [aSnapshot(name(web, api), [api, web])] }),
    does: [`freeze ${name(web, api)} 1`],
    knocks: newer(name(web, api)),
  },
  'S13 takes its own before that of another, and the first by name of others': {
    seen: aSight([web, api], {
      existing: [aSnapshot('z', [web, api]), aSnapshot('a', [web, api]), aSnapshot(longName(web, api), [web, api])],
    }),
    does: [`freeze ${longName(web, api)} 1`],
    knocks: newer(longName(web, api)),
  },
  'goes back to the Snapshot of a state that comes again, and says so': {
    seen: aSight([web, api], {
      row: aRow({ sequence: 2, snapshot: name(web2, api), digest: digestOf([web2, api]) }),
      existing: [aSnapshot(name(web2, api), [web2, api]), aSnapshot(name(web, api), [web, api])],
    }),
    does: [`freeze ${name(web, api)} 3`],
    knocks: newer(name(web, api)),
  },
  'S12 does not take one with another image, more or fewer of them, of another Application, of a predecessor, or that goes':
    {
      seen: aSight([web, api], {
        existing: [
          aSnapshot('another-image', [web2, api]),
          aSnapshot('more', [web, api, aComponent('jobs')]),
          aSnapshot('fewer', [web]),
          aSnapshot('of-another', [web, api], { application: 'bank' }),
          aSnapshot('of-a-predecessor', [web, api], { owner: 'shop-before' }),
          aSnapshot('going', [web, api], { isDeleting: true }),
        ],
      }),
      does: [`create ${name(web, api)} 1`, `freeze ${name(web, api)} 1`],
      knocks: newer(name(web, api)),
    },
  'takes a longer name where its own belongs to another': {
    seen: aSight([web, api], { existing: [aSnapshot(name(web, api), [web])] }),
    does: [`create ${longName(web, api)} 1`, `freeze ${longName(web, api)} 1`],
    knocks: newer(longName(web, api)),
  },
  'makes none where somebody took both of its names, and says so': {
    seen: aSight([web, api], { existing: [aSnapshot(name(web, api), [web]), aSnapshot(longName(web, api), [web])] }),
    does: ['tell-user'],
  },
  'makes none where the API server refuses it, and says so': {
    seen: aSight([web], { refusal: 'exceeded quota: snapshots' }),
    does: ['tell-user'],
  },
  'S21 that is gone leaves a Snapshot of the rest, and a directory that has to go': {
    seen: aSight([api], {
      component: undefined,
      row: aRow({ sequence: 1, digest: digestOf([web, api]) }),
      stored: [aStored('web-uid')],
    }),
    does: ['end web-uid', `create ${name(api)} 2`, `freeze ${name(api)} 2`],
    knocks: ['overlay.requested.v1 repository', 'application.changed.v1 shop', ...newer(name(api))],
  },
  'S21 that is being deleted is as good as gone': {
    seen: aSight([aComponent('web', { isDeleting: true }), api], {
      component: undefined,
      stored: [aStored('web-uid')],
    }),
    does: ['end web-uid', `create ${name(api)} 1`, `freeze ${name(api)} 1`],
    knocks: ['overlay.requested.v1 repository', 'application.changed.v1 shop', ...newer(name(api))],
  },
  'S21 that was the last one leaves no Snapshot of nothing': {
    seen: aSight([], { component: undefined, row: aRow({ sequence: 1, digest: 'x' }), stored: [aStored('web-uid')] }),
    does: ['end web-uid'],
    knocks: ['overlay.requested.v1 repository', 'application.changed.v1 shop'],
  },
  'L08 that is gone and never had a directory has nothing taken out of Git': {
    seen: aSight([], { component: undefined, stored: [aStored('web-uid', { repositoryId: undefined })] }),
    does: ['end web-uid'],
    knocks: ['application.changed.v1 shop'],
  },
  'that is gone, and whose directory waits to go, is not told of twice': {
    seen: aSight([], { component: undefined, stored: [aStored('web-uid', { isGone: true })] }),
    does: [],
  },
  'that is made again leaves the directory of the first, and is kept itself': {
    seen: aFrozenSight([web], { stored: [aStored('web-before')] }),
    does: ['end web-before', 'keep web-uid repository "gitops"'],
    knocks: ['overlay.requested.v1 repository', 'application.changed.v1 shop'],
  },
  'that is made again in another Application is missing in the first, and somebody there is woken': {
    seen: aFrozenSight([web, aComponent('b', { application: 'bank' }), aComponent('a', { application: 'bank' })], {
      stored: [aStored('web-before', { application: 'bank', repositoryId: 'of-bank' })],
    }),
    does: ['end web-before', 'keep web-uid repository "gitops"'],
    knocks: ['overlay.requested.v1 of-bank', 'application.changed.v1 bank', 'component.changed.v1 a'],
  },
  'L09 is kept where its Application is': {
    seen: aFrozenSight([web], { stored: [] }),
    does: ['keep web-uid repository "gitops"'],
  },
  'follows its Application to another repository': {
    seen: aFrozenSight([web], { stored: [aStored('web-uid', { repositoryId: 'before', context: '' })] }),
    does: ['keep web-uid repository "gitops"'],
  },
  'is remembered before its Application has a repository, and frozen all the same': {
    seen: aSight([web], { row: undefined, stored: [] }),
    does: [`create ${name(web)} 1`, `freeze ${name(web)} 1`, 'keep web-uid nowhere ""'],
    knocks: newer(name(web)),
  },
  'L05 waits for its Application and says so': {
    seen: aSight([web], { application: { name: 'shop', uid: undefined }, row: undefined, stored: [] }),
    does: ['tell-user'],
  },
  'L06 that is gone after its Application leaves its directory': {
    seen: aSight([], {
      component: undefined,
      application: { name: 'shop', uid: undefined },
      row: undefined,
      stored: [aStored('web-uid')],
    }),
    does: ['end web-uid'],
    knocks: ['overlay.requested.v1 repository', 'application.changed.v1 shop'],
  },
  'in a namespace that is being deleted begins nothing': { seen: aSight([web], { isNamespaceGoing: true }), does: [] },
};

describe('a Component', () => {
  it.each(Object.entries(rules))('%s', (_rule, { seen, does: doing, knocks = [] }) => {
    const step = decideSnapshot(seen, { now });

    expect(does(step)).toEqual(doing);
    expect(knocksOf(step)).toEqual(knocks);
  });

  it.each(Object.entries(rules))('settles: %s', (_rule, { seen }) => {
    const step = decideSnapshot(done(seen), { now: now + 60_000 });

    expect(does(step)).toEqual([]);
    expect(knocksOf(step)).toEqual([]);
  });

  it.each(Object.entries(rules))('any order: %s', (_rule, { seen }) => {
    const turned = {
      ...seen,
      components: seen.components.toReversed(),
      existing: seen.existing.toReversed(),
      stored: seen.stored.toReversed(),
      digest: digestOf(seen.components.toReversed(), seen.application.name, seen.row?.frozen),
    };

    expect(decideSnapshot(turned, { now })).toEqual(decideSnapshot(seen, { now }));
  });

  it('wakes others in line with its Application', () => {
    const { knocks } = decideSnapshot(aSight([web]), { now });

    expect(knocks).toEqual([
      { type: 'snapshot.changed.v1', subject: { namespace: 'team', name: name(web), application: shop.name } },
    ]);
  });
});
