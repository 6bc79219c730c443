import { expect, it } from 'vitest';
import type { Context } from '../../scripts/ops/context.ts';
import { renderStatus, runStatus } from '../../scripts/ops/status.ts';
import { aCell, anEnvironment, aPromotion, aStep, openToldPromotions } from '../support/told-promotions.ts';
import { plain } from './world.ts';

const began = '2026-01-31T12:00:00.000Z';

/** A promotion that has begun in two environments at once; its own wait is of the one whose time is over first. */
function openScene() {
  const told = openToldPromotions();
  told.environments = [
    anEnvironment('team-a', 'dev', { promotion: { stepDeadline: '5m' } }),
    anEnvironment('team-a', 'perf', {
      promotion: { stepDeadline: '10m', targetDeadline: '1h' },
      configuration: { target: { deploymentTargetClaim: { claimName: 'space' } } },
    }),
  ];
  const underWay = { status: 'in-progress', beganAt: began, endedAt: undefined } as const;
  const steps = [
    aStep('dev', 1, { ...underWay, readyAt: began, reason: 'NotHealthy', message: 'web is Progressing' }),
    aStep('perf', 1, { ...underWay, readyAt: undefined, reason: 'TargetNotReady', message: 'space is Pending' }),
  ];
  const until = '2026-01-31T12:05:00Z';
  const waiting = { reason: 'NotHealthy', message: 'dev: web is Progressing', since: began, until };
  told.promotions = [aPromotion('run-1', { steps, waiting })];
  told.cells = [aCell('dev')];
  const context = {
    promotions: told.reader,
    world: () => told.world,
    now: () => Date.parse(began) + 60_000,
  } as Context;
  return { told, context };
}

it('of several environments that wait, each has the end of its own time', async () => {
  const { context } = openScene();

  const { value } = await runStatus(context, {});

  expect(value.places).toMatchObject([
    { environment: 'dev', waits: [{ until: '2026-01-31T12:05:00Z' }] },
    { environment: 'perf', waits: [{ until: '2026-01-31T13:00:00.000Z' }] },
  ]);
  const text = renderStatus(value, 100, plain);
  expect(text).toMatch(/dev .*run-1: web is Progressing \(until 12:05:00 UTC\)/);
  expect(text).toMatch(/perf .*run-1: space is Pending \(until 13:00:00 UTC\)/);
});

it('of an environment that the cluster does not tell of, the end is left out that nobody knows', async () => {
  const { told, context } = openScene();
  told.environments = [];

  const { value } = await runStatus(context, {});

  expect(renderStatus(value, 100, plain)).toMatch(/perf .*run-1: space is Pending *$/m);
});

it('of an environment that was given more time, the end of that is told', async () => {
  const { told, context } = openScene();
  const [run] = told.promotions;
  const extendedTo = '2026-01-31T14:00:00.000Z';
  told.promotions = run === undefined ? [] : [{ ...run, steps: run.steps.map((step) => ({ ...step, extendedTo })) }];

  const { value } = await runStatus(context, {});

  expect(value.places).toMatchObject([{}, { environment: 'perf', waits: [{ until: extendedTo }] }]);
});
