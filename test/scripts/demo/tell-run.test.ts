import { describe, expect, it } from 'vitest';
import { tellRun } from '../../../scripts/demo/tell-run.ts';
import { openPaint } from '../../../scripts/ops/paint.ts';
import { PromotionRun } from '../../../shared/contracts/kubernetes/promotion-run.ts';

const commit = '1b2a0d9d2f00000000000000000000000000aaaa';
const older = '9'.repeat(40);

describe('what the demo says of a run', () => {
  it('is nothing before somebody has looked at the run', () => {
    expect(linesOf(undefined)).toEqual([]);
  });

  it('names what it waits for, beside the environment that it waits in, and until when', () => {
    const waiting = {
      reason: 'TargetNotReady',
      message: 'development: The claim is Pending',
      until: '2026-11-18T09:25:30Z',
    };

    expect(linesOf({ state: 'Active', environmentStatus: [environment('development')], waiting })).toEqual([
      'development … TargetNotReady The claim is Pending, until 09:25:30Z',
    ]);
  });

  it('tells of a wait for its turn without an environment', () => {
    const waiting = { reason: 'AnotherPromotionActive', message: 'PromotionRun one of application shop goes first' };

    expect(linesOf({ state: 'Waiting', waiting })).toEqual([
      ' … AnotherPromotionActive PromotionRun one of application shop goes first',
    ]);
  });

  it('ticks a component where Argo CD has it well at the commit, and at no other', () => {
    const components = [said('web', commit), said('api', older), said('worker', commit, 'Progressing')];

    expect(
      linesOf({ state: 'Active', environmentStatus: [environment('development', { commit, components })] }),
    ).toEqual(['development commit 1b2a0d9d2f holds it', 'development ✓ web is Synced and Healthy at 1b2a0d9d2f']);
  });

  it('goes from environment to environment in the order of the steps', () => {
    const environmentStatus = [
      environment('staging', { step: 2 }),
      environment('development', { status: 'success', displayStatus: 'All is well' }),
    ];
    const waiting = { reason: 'Rendering', message: 'staging: It is being written' };

    expect(linesOf({ state: 'Active', environmentStatus, waiting })).toEqual([
      'development ✓ All is well',
      'staging … Rendering It is being written',
    ]);
  });

  it('ends with the result, and with the reason where it failed', () => {
    const failed = {
      state: 'Completed',
      completionResult: 'Failure',
      environmentStatus: [environment('development', { status: 'failed', displayStatus: 'Promotion Failed.' })],
      conditions: [
        { type: 'Promoted', status: 'False', reason: 'NotHealthy', message: 'development: web is Degraded' },
      ],
    };

    expect(linesOf({ state: 'Completed', completionResult: 'Success' })).toEqual([' ✓ Success']);
    expect(linesOf(failed)).toEqual([
      'development ✗ Promotion Failed.',
      ' ✗ Failure of snapshot first: development: web is Degraded',
    ]);
  });
});

function linesOf(status: object | undefined): string[] {
  const run = PromotionRun.parse({
    apiVersion: 'appstudio.redhat.com/v1alpha1',
    kind: 'PromotionRun',
    metadata: {
      name: 'run',
      namespace: 'demo',
      uid: 'u',
      resourceVersion: '1',
      creationTimestamp: '2026-11-18T09:00:00Z',
    },
    spec: { snapshot: 'first', application: 'shop', automatedPromotion: { initialEnvironment: 'development' } },
    status,
  });
  return tellRun(run, openPaint({}, undefined)).map(({ about, text, aside = '' }) => `${about} ${text}${aside}`);
}

function environment(environmentName: string, more: object = {}): object {
  return { step: 1, environmentName, status: 'in-progress', displayStatus: 'Waiting', ...more };
}

function said(name: string, revision: string, health = 'Healthy'): object {
  return { name, revision, sync: 'Synced', health };
}
