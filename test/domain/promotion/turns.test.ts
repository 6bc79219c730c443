import { describe, expect, it } from 'vitest';
import type { Moment } from '../../../shared/domain/core/step.ts';
import type { SeenPromotion, StoredRun } from '../../../shared/domain/promotion/promotion.ts';
import {
  anActiveSight,
  anAutomatedRun,
  anEndedStep,
  anEnvironment,
  aReport,
  aRun,
  aSight,
  aStored,
  aWaitingSight,
  conditionOf,
  decide,
  does,
  knocksOf,
  later,
  now,
  someEvidence,
  today,
  toldSight,
  toldTo,
  waitsFor,
} from './a-promotion.ts';

const first = aStored({ uid: 'first-uid', name: 'first', created: now - 90_000 });
const waiting = aStored({ state: 'Waiting', started: undefined });
const lined = (name: string, created: number) => ({ uid: `${name}-uid`, name, created });

interface Rule {
  readonly seen: SeenPromotion;
  readonly at?: Moment;
  readonly does: readonly string[];
  readonly wakes?: readonly string[];
  readonly waits?: string;
}

const rules: Record<string, Rule> = {
  'AP-01 that is not there and never was is nobody': { seen: aSight({ run: undefined }), does: [] },
  'AP-02 that has ended is left alone': {
    seen: aSight({ run: aRun({ status: { state: 'Completed', completionResult: 'Success' } }) }),
    does: [],
  },
  'AP-03 and AP-04 takes its turn where nobody else is in line': {
    seen: aSight({ line: [lined('one', now - 60_000)] }),
    does: ['take-turn'],
    wakes: ['one'],
    waits: 'TurnTaken',
  },
  'AP-05 waits for the one that is active, though that one is younger': {
    seen: aSight({ open: [{ ...first, created: now }] }),
    does: [],
    waits: 'AnotherPromotionActive',
  },
  'waits for an older one that nobody has looked at yet, and wakes it': {
    seen: aSight({ line: [lined('first', now - 90_000), lined('one', now - 60_000)] }),
    does: [],
    wakes: ['first'],
    waits: 'AnotherPromotionActive',
  },
  'of the same second goes by its name': {
    seen: aSight({ line: [lined('aaa', now - 60_000)] }),
    does: [],
    wakes: ['aaa'],
    waits: 'AnotherPromotionActive',
  },
  'of the same second goes before those behind it in the alphabet': {
    seen: aSight({ line: [lined('two', now - 60_000)] }),
    does: ['take-turn'],
    wakes: ['one'],
    waits: 'TurnTaken',
  },
  'goes before a younger one': {
    seen: aSight({ line: [lined('aaa', now - 59_000)] }),
    does: ['take-turn'],
    wakes: ['one'],
    waits: 'TurnTaken',
  },
  'wakes the one it waits for now and then, for that one may have ended unheard': {
    seen: aSight({ open: [first, waiting] }),
    at: later(15, 'AnotherPromotionActive'),
    does: [],
    wakes: ['first'],
    waits: 'AnotherPromotionActive',
  },
  'gets its labels where they are missing': {
    seen: aSight({ run: aRun({ labels: { mine: '1' } }) }),
    does: ['label-run', 'take-turn'],
    wakes: ['one'],
    waits: 'TurnTaken',
  },
  'that is deleted while it waits leaves the line': {
    seen: aSight({ run: undefined, named: [waiting], open: [first, waiting] }),
    does: ['end-run one-uid-0001 Deleted Deleted'],
  },
  'that is deleted while it is active makes way for the next': {
    seen: aSight({
      run: aRun({ isDeleting: true }),
      named: [aStored()],
      open: [
        aStored(),
        aStored({ uid: 'c', name: 'c', state: 'Waiting', created: now - 20_000 }),
        aStored({ uid: 'b', name: 'b', state: 'Waiting', created: now - 20_000 }),
      ],
    }),
    does: ['end-run one-uid-0001 Deleted Deleted'],
    wakes: ['b'],
  },
  'that is made again under its name waits until its predecessor has made way': {
    seen: aSight({
      run: aRun({ uid: 'another' }),
      named: [aStored()],
      open: [aStored()],
      line: [lined('one', now)],
    }),
    does: ['end-run one-uid-0001 Deleted Deleted'],
    wakes: ['one'],
    waits: 'PredecessorLeaving',
  },
  'whose end was told is written down as that': {
    seen: anActiveSight({
      run: aRun({ status: { state: 'Completed', completionResult: 'Success' } }),
      open: [aStored(), aStored({ uid: 'b', name: 'b', state: 'Waiting' })],
    }),
    does: ['end-run one-uid-0001 Success '],
    wakes: ['b'],
  },
  'in a namespace that is being deleted does nothing': { seen: anActiveSight({ isNamespaceGoing: true }), does: [] },
  'of an application that others promote is left to them, and so are its rows': {
    seen: anActiveSight({ application: { uid: 'shop-uid', controller: 'integration', isRenderedByOthers: false } }),
    does: [],
    waits: 'ExternalController',
  },
};

describe('a PromotionRun', () => {
  it.each(Object.entries(rules))('%s', (_rule, { seen, at = today, does: done, wakes = [], waits }) => {
    const step = decide(seen, at);

    expect(does(step)).toEqual(done);
    expect(knocksOf(step)).toEqual(wakes);
    expect(waitsFor(step)).toBe(waits);
  });

  it('says for whom it waits, since when and until when, once', () => {
    const seen = aSight({ open: [first] });
    const told = toldTo(seen);

    expect(told).toMatchObject({
      state: 'Waiting',
      waiting: {
        reason: 'AnotherPromotionActive',
        message: 'PromotionRun first of application shop goes first',
        since: '2026-07-01T12:00:00Z',
        until: '2026-07-02T12:00:00Z',
      },
    });
    expect(conditionOf(told, 'ErrorOccurred')).toBe('False');
    const until = Date.parse(told.waiting?.until ?? '');
    const kept = { ...waiting, waiting: { reason: 'AnotherPromotionActive', since: now, until } };
    const again = decide({ ...toldSight(seen), open: [first, kept] }, later(600));
    expect(again.effects).toEqual([]);
  });

  it('says who promotes it, where that is not this service, and goes on when it is asked again', () => {
    const application = { uid: 'shop-uid', controller: 'integration', isRenderedByOthers: false };
    const seen = anActiveSight({ application });

    expect(conditionOf(toldTo(seen), 'DeploymentController')).toBe(
      'False/ExternalController/Application shop is promoted by integration: its spec.deploymentController says so, and this service leaves the run alone',
    );
    expect(decide(toldSight(seen)).effects).toEqual([]);
    expect(does(decide({ ...toldSight(seen), application: { ...application, controller: 'appstudio' } }))).toEqual([
      'create-binding shop-dev-binding v1',
      'begin-step 1 dev',
    ]);
  });
});

describe('a run that stands in line, of an application that others promote', () => {
  const application = { uid: 'shop-uid', controller: 'integration', isRenderedByOthers: false };
  const why = 'Application shop is promoted by integration: its spec.deploymentController says so';
  const since = (seconds: number) =>
    ({ waiting: { reason: 'ExternalController', since: now - seconds * 1_000 } }) as const;
  const week = 7 * 86_400;
  const underWay = (but: Partial<StoredRun> = {}) => {
    const stored = aStored(but);
    return aWaitingSight(
      { evidence: [someEvidence('web', { report: aReport() })] },
      { application, named: [stored], open: [stored] },
    );
  };

  it('waits for that, and says until when', () => {
    expect(does(decide(underWay()))).toEqual(['keep-step dev in-progress ExternalController']);
    expect(toldTo(underWay())).toMatchObject({
      state: 'Active',
      waiting: {
        reason: 'ExternalController',
        message: `dev: ${why}`,
        since: '2026-07-01T12:00:00Z',
        until: '2026-07-08T12:00:00Z',
      },
      environmentStatus: [{ environmentName: 'dev', status: 'in-progress', displayStatus: why }],
    });
  });

  it('waits for no longer than it said', () => {
    const over = underWay(since(week));

    expect(does(decide(over))).toEqual([
      'end-step dev failed ExternalController',
      'end-run one-uid-0001 Failure ExternalController',
    ]);
    expect(conditionOf(toldTo(over), 'Promoted')).toBe(`False/ExternalController/dev: ${why}`);
  });

  it('begins nothing more, and nothing follows it', () => {
    const stored = aStored();
    const seen = anActiveSight({
      application,
      open: [stored],
      environments: [anEnvironment('dev'), anEnvironment('prod<dev')],
      steps: [anEndedStep('dev')],
    });

    expect(does(decide({ ...seen, run: anAutomatedRun() }))).toEqual([]);
    expect(waitsFor(decide({ ...seen, run: anAutomatedRun() }))).toBe('ExternalController');
    expect(does(decide({ ...seen, run: aRun() }))).toEqual(['end-run one-uid-0001 Success Promoted']);
  });

  it('and waits for its turn says the same, and gives up as well', () => {
    const waiting = { reason: 'AnotherPromotionActive', since: now - 60_000 };
    const seen = aSight({ application, open: [first, aStored({ state: 'Waiting', waiting })] });
    const over = aSight({ application, open: [first, aStored({ state: 'Waiting', ...since(week) })] });

    expect(decide(seen).effects).toContainEqual(
      expect.objectContaining({ do: 'keep-run', reason: 'ExternalController' }),
    );
    expect(toldTo(seen).waiting).toMatchObject({ message: why, until: '2026-07-08T12:00:00Z' });
    expect(does(decide(over))).toEqual(['end-run one-uid-0001 Failure ExternalController']);
    expect(toldTo(over)).toMatchObject({ state: 'Completed', completionResult: 'Failure' });
  });
});

describe('a line', () => {
  const day = 86_400;
  const kept = (message: string, sinceSeconds: number) =>
    aStored({
      state: 'Waiting',
      waiting: {
        reason: 'AnotherPromotionActive',
        message: `PromotionRun ${message} of application shop goes first`,
        since: now - sinceSeconds * 1_000,
        until: now - (sinceSeconds - day) * 1_000,
      },
    });

  it('that has not moved for a day is left, and the run says why', () => {
    const seen = aSight({ open: [first, kept('first', day)] });

    expect(does(decide(seen))).toEqual(['end-run one-uid-0001 Failure TurnNeverCame']);
    expect(toldTo(seen)).toMatchObject({ state: 'Completed', completionResult: 'Failure' });
    expect(conditionOf(toldTo(seen), 'Promoted')).toBe(
      'False/TurnNeverCame/PromotionRun first of application shop goes first',
    );
  });

  it('that moves is waited in for as long as it takes', () => {
    const seen = aSight({ open: [first, kept('another', 5 * day)] });

    expect(does(decide(seen))).toEqual([]);
    expect(decide(seen).effects).toContainEqual(expect.objectContaining({ do: 'keep-run' }));
    expect(toldTo(seen).waiting).toMatchObject({ since: '2026-06-26T12:00:00Z', until: '2026-07-02T12:00:00Z' });
  });

  it('is waited in for as long as the first one of it may take, and a little longer', () => {
    const claiming = { reason: 'TargetNotReady', since: now, until: now + 3 * day * 1_000 };
    const seen = aSight({ open: [{ ...first, waiting: claiming }, kept('first', day)] });

    expect(does(decide(seen))).toEqual([]);
    expect(toldTo(seen).waiting?.until).toBe('2026-07-04T13:00:00Z');
  });
});
