import { describe, expect, it } from 'vitest';
import { unknownStatus } from '../../../shared/domain/status/argo-status.ts';
import {
  decideReport,
  goesOnFirst,
  type ReportedApplication,
  type ReportedRows,
  type ReportSeen,
} from '../../../shared/domain/status/decide-report.ts';
import { keepStatus } from '../../../shared/domain/status/keep.ts';
import { guestbook, untold } from './fixtures.ts';

const applicationId = '5a1c2f00-0000-4000-8000-000000000001';
const now = Date.parse('2026-03-01T10:05:00.123Z');
const kept = keepStatus(guestbook, () => true);
const promotions = [{ namespace: 'team-a', name: 'to-prod', application: 'shop' }];
const well = { version: '7', ours: true, isNew: false, status: guestbook, kept };
const sick = { ...well, status: { ...guestbook, health: { status: 'Degraded', message: '' } } };

function rows(but: Partial<ReportedRows> = {}): ReportedRows {
  return {
    applicationId,
    engineNamespace: 'argocd',
    tenantNamespace: 'team-a',
    instanceId: 'argo-1',
    operationPending: false,
    wasKnown: true,
    application: application(),
    ...but,
  };
}

function application(but: Partial<ReportedApplication> = {}): ReportedApplication {
  return {
    ownerUserId: 'user-1',
    deployment: { namespace: 'team-a', name: 'web' },
    destination: undefined,
    kept: undefined,
    syncRuns: [],
    promotions: [],
    ...but,
  };
}

function seen(but: Partial<ReportSeen> = {}): ReportSeen {
  return {
    rows: rows(),
    argo: well,
    deployment: { version: '3', status: untold },
    ...but,
  };
}

function done(but: Partial<ReportSeen>): readonly string[] {
  return decideReport(seen(but), { now }).effects.map((effect) => effect.do);
}

describe('a change of an Argo CD Application', () => {
  it('is news for a promotion that waits for the deployment, and nothing is where nothing is new', () => {
    const knocksOf = (text: string | undefined) =>
      decideReport(seen({ argo: sick, rows: rows({ application: application({ promotions, kept: text }) }) }), { now })
        .knocks;

    expect(knocksOf(undefined)).toEqual([{ type: 'promotion.changed.v1', subject: promotions[0] }]);
    expect(knocksOf(kept.text)).toEqual([]);
  });

  it('lets the promotion go on first where all is well, and the deployment is told in a look of its own', () => {
    const waited = rows({ application: application({ promotions }) });

    const { effects, knocks } = decideReport(seen({ deployment: undefined, rows: waited }), { now });

    expect(effects.map((effect) => effect.do)).toEqual(['keep-status']);
    expect(knocks).toEqual([
      { type: 'promotion.changed.v1', subject: promotions[0] },
      { type: 'argo-application.changed.v1', subject: { namespace: 'argocd', name: `gitopsdepl-${applicationId}` } },
    ]);
  });

  it('lets nobody go first who cannot go on: nobody waits, it is not well, it is not ours, or it was kept before', () => {
    const waited = rows({ application: application({ promotions }) });
    const keptBefore = rows({ application: application({ promotions, kept: kept.text }) });

    expect(goesOnFirst({ argo: well, rows: waited })).toBe(true);
    expect(goesOnFirst({ argo: well, rows: rows() })).toBe(false);
    expect(goesOnFirst({ argo: sick, rows: waited })).toBe(false);
    expect(goesOnFirst({ argo: { ...well, status: { ...guestbook, sync: undefined } }, rows: waited })).toBe(false);
    expect(goesOnFirst({ argo: { ...well, ours: false }, rows: waited })).toBe(false);
    expect(goesOnFirst({ argo: undefined, rows: waited })).toBe(false);
    expect(goesOnFirst({ argo: well, rows: keptBefore })).toBe(false);
  });

  it('RT-02 is told to the deployment and kept, with the same time', () => {
    const { effects, knocks, next } = decideReport(seen(), { now });

    expect(effects).toEqual([
      {
        do: 'report-status',
        deployment: 'team-a/web',
        at: '2026-03-01T10:05:00Z',
        fields: ['health', 'sync', 'resources', 'operationState', 'reconciledState', 'observedAt'],
      },
      { do: 'keep-status', application: applicationId, at: '2026-03-01T10:05:00Z', without: [] },
    ]);
    expect({ knocks, next: next.kind }).toEqual({ knocks: [], next: 'settled' });
  });

  it('RT-02 asks for nothing where it is kept and nobody needs to be told', () => {
    expect(done({ rows: rows({ application: application({ kept: kept.text }) }), deployment: undefined })).toEqual([]);
  });

  it('RT-05 is only kept where the deployment is gone or another one', () => {
    expect(done({ deployment: undefined })).toEqual(['keep-status']);
  });

  it('says what could not be kept', () => {
    const cut = keepStatus(guestbook, (text) => !text.includes('ConfigMap') && !text.includes('"history"'));

    const { effects } = decideReport(
      seen({ argo: { version: '7', ours: true, isNew: false, status: guestbook, kept: cut }, deployment: undefined }),
      { now },
    );

    expect(effects).toMatchObject([{ do: 'keep-status', without: ['resources', 'history'] }]);
  });

  it('wakes every sync that is under way, though nothing else is new', () => {
    const syncRuns = [
      { namespace: 'team-a', name: 'first' },
      { namespace: 'team-a', name: 'second' },
    ];

    const { effects, knocks } = decideReport(
      seen({ rows: rows({ application: application({ kept: kept.text, syncRuns }) }), deployment: undefined }),
      { now },
    );

    expect(effects).toEqual([]);
    expect(knocks).toEqual(syncRuns.map((subject) => ({ type: 'sync-run.changed.v1', subject })));
  });

  it('CA-07 that has no status yet is no news; one that has lost its status is', () => {
    const argo = {
      version: '7',
      ours: true,
      isNew: true,
      status: unknownStatus,
      kept: keepStatus(unknownStatus, () => true),
    };

    expect(done({ argo })).toEqual([]);
    expect(done({ argo, rows: rows({ application: application({ kept: kept.text }) }) })).toEqual([
      'report-status',
      'keep-status',
    ]);
  });

  it('of somebody else is none of our business', () => {
    const argo = { version: '7', ours: false, isNew: false, status: guestbook, kept };

    expect(decideReport(seen({ argo }), { now })).toMatchObject({ effects: [], knocks: [] });
    expect(decideReport(seen({ argo, rows: rows({ application: undefined }) }), { now })).toMatchObject({
      effects: [],
      knocks: [],
    });
  });
});

describe('an Application without a row', () => {
  const without = rows({ application: undefined, tenantNamespace: undefined });

  it('that nobody here remembers is left to the drift pass: a restored database may have forgotten a living deployment', () => {
    const forgotten = seen({ rows: rows({ application: undefined, wasKnown: false }) });

    expect(decideReport(forgotten, { now })).toMatchObject({ effects: [], knocks: [] });
  });

  it('CA-05 is to be deleted: the operation is asked for in the namespace of its Argo CD', () => {
    const { effects, knocks } = decideReport(seen({ rows: without }), { now });

    expect(effects).toEqual([
      { do: 'request-application', application: applicationId, instance: 'argo-1', why: 'it has no row' },
    ]);
    expect(knocks).toEqual([
      { type: 'operation.requested.v1', subject: { namespace: 'argocd', name: `application.${applicationId}` } },
    ]);
  });

  it('CA-05 that is being deleted already is not asked for again', () => {
    const step = decideReport(seen({ rows: { ...without, operationPending: true } }), { now });

    expect(step).toMatchObject({ effects: [], knocks: [] });
  });

  it('in a namespace without an Argo CD of ours stays', () => {
    const step = decideReport(seen({ rows: { ...without, instanceId: undefined } }), { now });

    expect(step).toMatchObject({ effects: [], knocks: [] });
  });

  it('CA-04 that is gone, too, needs nothing', () => {
    expect(decideReport(seen({ rows: without, argo: undefined }), { now })).toMatchObject({ effects: [], knocks: [] });
  });

  it('that is gone while its operation waits for that ends the operation', () => {
    const step = decideReport(seen({ rows: { ...without, operationPending: true }, argo: undefined }), { now });

    expect(step).toMatchObject({ effects: [], knocks: [{ type: 'operation.requested.v1' }] });
  });

  it('is in line with the other operations of whoever asked for its deletion', () => {
    const pending = { ...without, operationPending: true, tenantNamespace: 'team-a' };

    expect(decideReport(seen({ rows: pending, argo: undefined }), { now }).knocks).toMatchObject([
      { subject: { namespace: 'team-a' } },
    ]);
  });
});

describe('a row without an Application', () => {
  it('CA-06 has it made again, in line with the other operations of the tenant', () => {
    const { effects, knocks } = decideReport(seen({ argo: undefined, deployment: undefined }), { now });

    expect(effects).toMatchObject([{ do: 'request-application', why: 'it was taken away' }]);
    expect(knocks).toEqual([
      { type: 'operation.requested.v1', subject: { namespace: 'team-a', name: `application.${applicationId}` } },
    ]);
  });

  it('wakes the operation that somebody has asked for', () => {
    const step = decideReport(seen({ argo: undefined, rows: rows({ operationPending: true }) }), { now });

    expect(step).toMatchObject({ effects: [], knocks: [{ type: 'operation.requested.v1' }] });
  });
});
