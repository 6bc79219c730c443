import { describe, expect, it } from 'vitest';
import type { Moment } from '../../../shared/domain/core/step.ts';
import {
  decideStart,
  type NewSnapshot,
  type SeenStart,
  sequenceOf,
  startedName,
} from '../../../shared/domain/promotion/decide-start.ts';
import { anEnvironment, later, now, today } from './a-promotion.ts';

function aSnapshot(but: Partial<NewSnapshot> = {}): NewSnapshot {
  return {
    uid: 'v1-uid-0001',
    name: 'v1',
    version: '10',
    created: now - 1_000,
    sequence: 0,
    isDeleting: false,
    application: 'shop',
    said: [],
    ...but,
  };
}

function aSight(but: Partial<SeenStart> = {}): SeenStart {
  return {
    namespace: 'team',
    snapshot: aSnapshot(),
    named: [],
    state: undefined,
    newestConsidered: undefined,
    newest: undefined,
    application: { uid: 'shop-uid', controller: '' },
    environments: [anEnvironment('dev')],
    isStarted: false,
    isNamespaceGoing: false,
    ...but,
  };
}

function does(seen: SeenStart, moment: Moment = today): string[] {
  return decideStart(seen, moment).effects.flatMap((effect) => {
    if (effect.do === 'tell-user') return [];
    if (effect.do === 'start-promotion') return [`start-promotion ${effect.environments.join(' ')}`];
    return [
      effect.do === 'consider-snapshot' ? `consider-snapshot ${effect.run}`.trim() : `${effect.do} ${effect.uid}`,
    ];
  });
}

const graph = (...described: string[]) => described.map((one) => anEnvironment(one));
const known = (sequence = 0) => ({ uid: 'v1-uid-0001', sequence });
const considered = 'consider-snapshot v1-v1-uid-0';

interface Rule {
  readonly seen: SeenStart;
  readonly at?: Moment;
  readonly does: readonly string[];
  readonly says?: string;
}

const rules: Record<string, Rule> = {
  'starts one run over all automated roots': {
    seen: aSight({ environments: graph('poc', 'dev', 'qa<dev', 'lab manual') }),
    does: ['start-promotion dev poc', considered],
    says: 'True/Started',
  },
  'starts it once, though whoever made it died before saying so': {
    seen: aSight({ isStarted: true }),
    does: [considered],
    says: 'True/Started',
  },
  'is considered once': { seen: aSight({ named: [known()] }), does: [] },
  'is considered once as the state that it is': {
    seen: aSight({ named: [known(3)], state: { snapshot: 'v1', sequence: 3 } }),
    does: [],
  },
  'is not considered again because another one is newer': {
    seen: aSight({ named: [known(3)], state: { snapshot: 'v2', sequence: 4 } }),
    does: [],
  },
  'goes on again when its images are built again after others, by a run of its own': {
    seen: aSight({
      named: [known(3)],
      state: { snapshot: 'v1', sequence: 5 },
      newestConsidered: { created: now, sequence: 4 },
    }),
    does: ['start-promotion dev', 'consider-snapshot shop-000005-v1-uid-0'],
    says: 'True/Started',
  },
  'that is gone is forgotten': {
    seen: aSight({ snapshot: undefined, named: [known()] }),
    does: ['forget-snapshot v1-uid-0001'],
  },
  'that is made again under its name is a new one': {
    seen: aSight({ named: [{ uid: 'before', sequence: 9 }] }),
    does: ['forget-snapshot before', 'start-promotion dev', considered],
    says: 'True/Started',
  },
  'stays where it is when a newer one was considered before it': {
    seen: aSight({ newestConsidered: { created: now, sequence: 0 } }),
    does: ['consider-snapshot'],
    says: 'False/Superseded',
  },
  'stays where it is when it lay there before anybody looked': {
    seen: aSight({ newest: { created: now, sequence: 0 } }),
    does: ['consider-snapshot'],
    says: 'False/Superseded',
  },
  'of the same second as the newest goes on': {
    seen: aSight({ newestConsidered: { created: now - 1_000, sequence: 0 } }),
    does: ['start-promotion dev', considered],
    says: 'True/Started',
  },
  'stays where it is when one that was counted after it in the same second was considered before it': {
    seen: aSight({
      snapshot: aSnapshot({ sequence: 4 }),
      newestConsidered: { created: now - 1_000, sequence: 5 },
    }),
    does: ['consider-snapshot'],
    says: 'False/Superseded',
  },
  'goes on where the one of the same second was counted before it': {
    seen: aSight({
      snapshot: aSnapshot({ sequence: 5 }),
      newestConsidered: { created: now - 1_000, sequence: 4 },
    }),
    does: ['start-promotion dev', 'consider-snapshot shop-000005-v1-uid-0'],
    says: 'True/Started',
  },
  'goes on where the one that was considered before it had come again before it was made': {
    seen: aSight({ snapshot: aSnapshot({ sequence: 6 }), newestConsidered: { created: now - 400, sequence: 5 } }),
    does: ['start-promotion dev', 'consider-snapshot shop-000006-v1-uid-0'],
    says: 'True/Started',
  },
  'stays where it is when one that was made before it has come again': {
    seen: aSight({ snapshot: aSnapshot({ sequence: 4 }), newestConsidered: { created: now - 400, sequence: 5 } }),
    does: ['consider-snapshot'],
    says: 'False/Superseded',
  },
  'goes on where those that were counted before it are of an Application that had the name': {
    seen: aSight({ snapshot: aSnapshot({ sequence: 1 }), newestConsidered: { created: now - 9_000, sequence: 7 } }),
    does: ['start-promotion dev', 'consider-snapshot shop-000001-v1-uid-0'],
    says: 'True/Started',
  },
  'of an application that others promote is left to them': {
    seen: aSight({ application: { uid: 'shop-uid', controller: 'integration' } }),
    does: ['consider-snapshot'],
    says: 'False/ExternalController',
  },
  'starts nothing in an environment that others promote to': {
    seen: aSight({ environments: graph('dev external', 'poc') }),
    does: ['start-promotion poc', considered],
    says: 'True/Started',
  },
  'starts nothing in an environment that goes, or in a circle': {
    seen: aSight({ environments: graph('dev leaving', 'a<b', 'b<a', 'poc') }),
    does: ['start-promotion poc', considered],
    says: 'True/Started',
  },
  'waits a while for an automated environment': { seen: aSight({ environments: [] }), does: [] },
  'says after that while that there is none': {
    seen: aSight({ environments: graph('dev manual') }),
    at: later(60, 'NoAutomatedEnvironment'),
    does: ['consider-snapshot'],
    says: 'False/NoAutomatedEnvironment',
  },
  'says after a while that its application is missing': {
    seen: aSight({ application: undefined }),
    at: later(60, 'ApplicationNotFound'),
    does: ['consider-snapshot'],
    says: 'False/ApplicationNotFound',
  },
  'without an application is for people to promote': {
    seen: aSight({ snapshot: aSnapshot({ application: '' }) }),
    does: ['consider-snapshot'],
    says: 'False/NoApplication',
  },
  'that is being deleted starts nothing': { seen: aSight({ snapshot: aSnapshot({ isDeleting: true }) }), does: [] },
  'in a namespace that is being deleted starts nothing': { seen: aSight({ isNamespaceGoing: true }), does: [] },
};

describe('a Snapshot', () => {
  it.each(Object.entries(rules))('%s', (_rule, { seen, at, does: done, says }) => {
    const { conditions } = decideStart(seen, at ?? today);

    expect(does(seen, at)).toEqual(done);
    expect(conditions.map(({ status, reason }) => `${status}/${reason}`)[0]).toBe(says);
  });

  it('says that its run was started, though a newer Snapshot was looked at before that was written down', () => {
    const seen = aSight({ isStarted: true, newestConsidered: { created: now, sequence: 0 } });

    expect(does(seen)).toEqual([considered]);
    expect(decideStart(seen, today).conditions).toMatchObject([{ reason: 'Started' }]);
  });

  it('does not go where a parent is named that is not there', () => {
    expect(does(aSight({ environments: graph('dev', 'prod<stagign') }))).toEqual(['start-promotion dev', considered]);
  });

  it('knocks at the run that it has started', () => {
    expect(decideStart(aSight(), today).knocks).toEqual([
      { type: 'promotion.changed.v1', subject: { namespace: 'team', name: 'v1-v1-uid-0', application: 'shop' } },
    ]);
  });

  it('names the environments that it leaves to others', () => {
    const some = decideStart(aSight({ environments: graph('dev external', 'poc') }), today);
    const all = decideStart(aSight({ environments: graph('dev external') }), later(60, 'NoAutomatedEnvironment'));

    for (const { conditions } of [some, all])
      expect(conditions[0]?.message).toMatch(/Environments that others promote to were left out: dev by integration$/);
  });

  it('is as new as the moment in which it comes again: what was made before that and is looked at late stays where it is', () => {
    const back = aSight({ named: [known(3)], state: { snapshot: 'v1', sequence: 5 } });

    expect(decideStart(back, today).effects).toContainEqual(
      expect.objectContaining({ do: 'consider-snapshot', created: now, sequence: 5 }),
    );
  });

  it('waits with a reason and an end', () => {
    expect(decideStart(aSight({ environments: [] }), today).next).toMatchObject({
      kind: 'recheck',
      afterSeconds: 5,
      wait: { reason: 'NoAutomatedEnvironment', deadlineSeconds: 60 },
    });
  });

  it('has one name for its run, and another one when it is made again', () => {
    expect(startedName(aSnapshot())).toBe(startedName(aSnapshot()));
    expect(startedName(aSnapshot({ uid: 'another' }))).not.toBe(startedName(aSnapshot()));
    expect(startedName(aSnapshot({ name: 'x'.repeat(253) })).length).toBeLessThanOrEqual(253);
  });

  it('has a run whose name comes after those of the states before it, whatever the Snapshots are called', () => {
    const names = [9, 10, 11, 100].map((sequence) =>
      startedName(aSnapshot({ sequence, name: `shop-${999 - sequence}`, uid: `${999 - sequence}` })),
    );

    expect(names.toSorted()).toEqual(names);
  });

  it.each(['', '0', '-1', '1.5', '07', '1000000', 'NaN'])('is not counted by %j', (text) => {
    expect(sequenceOf(text)).toBe(0);
    expect(sequenceOf('999999')).toBe(999_999);
  });

  it('decides the same, whatever the order of the environments', () => {
    const environments = graph('a', 'b', 'c<a', 'd manual', 'e external');

    expect(decideStart(aSight({ environments: environments.toReversed() }), today)).toEqual(
      decideStart(aSight({ environments }), today),
    );
  });
});
