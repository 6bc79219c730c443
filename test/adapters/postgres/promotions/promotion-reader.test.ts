import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPromotionReader } from '../../../../shared/adapters/postgres/promotions/promotion-reader.ts';
import type { PromotionReader } from '../../../../shared/ports/promotion-reader.ts';
import { Transient } from '../../../../shared/ports/trouble.ts';
import { openPromotionScene, type PromotionScene } from '../../../ops/promotion-scene.ts';
import { commitOf } from '../../../ops/release-scene.ts';
import { openTestClient, openTestDatabase, type TestDatabase } from '../../../support/database.ts';

const ten = Date.parse('2026-01-01T10:00:00Z');
const minute = 60_000;

let database: TestDatabase;
let reader: PromotionReader;
let scene: PromotionScene;
beforeAll(async () => {
  database = await openTestDatabase();
  reader = openPromotionReader(database.sql);
  scene = openPromotionScene(database.sql);
});
afterAll(() => database.close());

const named = (all: readonly { readonly name: string }[]): readonly string[] => all.map(({ name }) => name);

describe('a promotion', () => {
  it('is told with its way and what Argo CD said on it', async () => {
    const run = await scene.aRun('told', 'friday', { beginsIn: ['stage'], cause: 'Snapshot/s1' });
    await scene.takesTurn(run, ten + minute);
    const waiting = {
      reason: 'NotHealthy',
      message: 'stage: Component web is Progressing',
      since: '2026-01-01T10:02:00Z',
      until: '2026-01-01T10:07:00Z',
    };
    await scene.waits(run, waiting);
    const applicationId = await scene.says('told', 'api-deployment', { revision: commitOf('a1') });
    const trouble = { health: 'Progressing', revision: commitOf('a1'), operation: 'Running', trouble: 'web: 0 of 1' };
    await scene.says('told', 'web-deployment', trouble);
    await scene.step(run, 'stage', {
      reason: 'NotHealthy',
      message: 'Component web is Progressing',
      ready: ten + 2 * minute,
      commit: commitOf('a1'),
      evidence: [
        { component: 'web', deployment: 'web-deployment', seen: undefined, report: undefined },
        {
          component: 'api',
          deployment: 'api-deployment',
          report: undefined,
          seen: {
            applicationId,
            sync: 'Synced',
            health: 'Healthy',
            operation: 'Succeeded',
            revision: commitOf('a1'),
            observed: ten + 3 * minute,
          },
        },
      ],
    });

    expect(await reader.one({ namespace: 'told', name: 'friday' })).toEqual({
      id: run.uid,
      namespace: 'told',
      name: 'friday',
      application: 'shop',
      snapshot: 's1',
      isAutomated: false,
      beginsIn: ['stage'],
      cause: 'Snapshot/s1',
      state: 'Active',
      result: '',
      reason: '',
      message: '',
      waiting,
      createdAt: '2026-01-01T10:00:00.000Z',
      startedAt: '2026-01-01T10:01:00.000Z',
      steps: [
        {
          environment: 'stage',
          step: 1,
          binding: 'shop-stage',
          status: 'in-progress',
          reason: 'NotHealthy',
          message: 'Component web is Progressing',
          beganAt: '2026-01-01T10:00:00.000Z',
          readyAt: '2026-01-01T10:02:00.000Z',
          commit: commitOf('a1'),
          evidence: [
            {
              component: 'api',
              deployment: 'api-deployment',
              revision: commitOf('a1'),
              sync: 'Synced',
              health: 'Healthy',
              operation: 'Succeeded',
              observedAt: '2026-01-01T10:03:00.000Z',
            },
            {
              component: 'web',
              deployment: 'web-deployment',
              revision: '',
              sync: '',
              health: '',
              operation: '',
              now: { ...trouble, sync: 'Synced' },
            },
          ],
        },
      ],
    });
  });

  it('tells of a step that has failed what was said last, and not what is said later', async () => {
    const run = await scene.aRun('late', 'friday');
    const said = { sync: 'OutOfSync', health: 'Degraded', operation: 'Failed', revision: commitOf('a1') };
    const applicationId = await scene.says('late', 'web-deployment', { ...said, trouble: 'no such image' });
    const web = { component: 'web', deployment: 'web-deployment', seen: undefined };
    await scene.step(run, 'stage', { evidence: [{ ...web, report: undefined }] });
    const report = { ...said, applicationId, trouble: 'no such image', observed: ten, contains: true };
    await scene.step(run, 'stage', { status: 'failed', ended: ten + minute, evidence: [{ ...web, report }] });
    await scene.says('late', 'web-deployment');

    expect((await reader.one({ namespace: 'late', name: 'friday' }))?.steps[0]?.evidence).toEqual([
      {
        component: 'web',
        deployment: 'web-deployment',
        revision: '',
        sync: '',
        health: '',
        operation: '',
        now: { ...said, trouble: '' },
      },
    ]);
  });

  it('has its steps in their order, and its end', async () => {
    const run = await scene.aRun('ended', 'friday', { isAutomated: true, beginsIn: ['poc', 'dev'] });
    await scene.takesTurn(run);
    const done = { status: 'success', reason: 'Promoted', ended: ten + minute } as const;
    await scene.step(run, 'stage', { step: 2, status: 'failed', message: 'No place', ended: ten + 2 * minute });
    await scene.step(run, 'poc', done);
    await scene.step(run, 'dev', done);
    await scene.ends(run, 'Failure', ten + 2 * minute, 'stage: No place');

    const told = await reader.one({ namespace: 'ended', name: 'friday' });

    expect(told?.steps.map(({ environment, status }) => `${environment} ${status}`)).toEqual([
      'dev success',
      'poc success',
      'stage failed',
    ]);
    expect(told).toMatchObject({
      state: 'Completed',
      result: 'Failure',
      message: 'stage: No place',
      isAutomated: true,
    });
    expect(told?.completedAt).toBe('2026-01-01T10:02:00.000Z');
    expect(told).not.toHaveProperty('waiting');
  });

  it('is the newest of those that had its name, and nobody where none had', async () => {
    await scene.aRun('again', 'friday', { snapshot: 'new', created: ten + minute });
    await scene.aRun('again', 'friday', { snapshot: 'old' });

    expect(await reader.one({ namespace: 'again', name: 'friday' })).toMatchObject({ snapshot: 'new' });
    expect(await reader.one({ namespace: 'again', name: 'monday' })).toBeUndefined();
    expect(await reader.one({ namespace: 'nowhere', name: 'friday' })).toBeUndefined();
  });
});

describe('promotions', () => {
  it('that have not ended stand in the order of their turns', async () => {
    const ended = await scene.aRun('line', 'ended');
    await scene.takesTurn(ended);
    await scene.ends(ended, 'Success', ten);
    await scene.aRun('line', 'late', { created: ten + 2 * minute });
    await scene.aRun('line', 'b-soon', { created: ten + minute });
    await scene.aRun('line', 'a-soon', { created: ten + minute });
    // Whoever has the turn keeps it, whatever came to light since.
    await scene.takesTurn(await scene.aRun('line', 'active', { created: ten + 3 * minute }));
    await scene.aRun('line', 'of-another', { application: 'bank', created: ten + 4 * minute });

    expect(named(await reader.open('line'))).toEqual(['of-another', 'active', 'a-soon', 'b-soon', 'late']);
  });

  it('that have not ended are those of all namespaces where none is named', async () => {
    await scene.aRun('all-a', 'one');
    await scene.aRun('all-b', 'two');

    const namespaces = (await reader.open()).map(({ namespace }) => namespace);

    expect(namespaces).toEqual(expect.arrayContaining(['all-a', 'all-b']));
    expect(namespaces).toEqual(namespaces.toSorted());
    expect(await reader.open('nowhere')).toEqual([]);
  });

  it('that failed are told as long as nothing came after them; what somebody took away does not count', async () => {
    // All of one second, as the API server stamps them: which came last is told by their ends, not by their names.
    for (const [name, application, at, result] of [
      ['failed', 'shop', 0, 'Failure'],
      ['taken-away', 'shop', 1, 'Deleted'],
      ['failed-first', 'bank', 0, 'Failure'],
      ['then-well', 'bank', 1, 'Success'],
      ['failed-twice', 'cart', 0, 'Failure'],
      ['failed-again', 'cart', 1, 'Failure'],
    ] as const) {
      const run = await scene.aRun('failing', name, { application });
      await scene.takesTurn(run);
      await scene.ends(run, result, ten + (at + 1) * minute);
    }

    expect(named(await reader.failed('failing'))).toEqual(['failed-again', 'failed']);

    await scene.aRun('failing', 'another-try');

    expect(named(await reader.failed('failing'))).toEqual(['failed-again']);
    expect(named(await reader.failed())).toContain('failed-again');
    expect(await reader.failed('nowhere')).toEqual([]);
  });

  it('of an application are told newest first, and no more than were asked for', async () => {
    for (const [at, name] of ['first', 'second', 'third'].entries())
      await scene.aRun('newest', name, { created: ten + at * minute });
    await scene.aRun('newest', 'of-another', { application: 'bank' });

    expect(named(await reader.of({ namespace: 'newest', name: 'shop' }, 10))).toEqual(['third', 'second', 'first']);
    expect(named(await reader.of({ namespace: 'newest', name: 'shop' }, 2))).toEqual(['third', 'second']);
  });
});

it('says that the database is away in the words of the ports', async () => {
  const away = openTestClient('postgres://who@127.0.0.1:1/none', { connectTimeoutMs: 500 });

  await expect(openPromotionReader(away).version()).rejects.toBeInstanceOf(Transient);
  await away.end({ timeout: 1 });
});
