import { describe, expect, it } from 'vitest';
import { askAgain } from '../../../shared/domain/promotion/ask-again.ts';
import type { JudgedStep, StoredEvidence } from '../../../shared/domain/promotion/promotion.ts';
import { aReport, aStep, later, now } from './a-promotion.ts';

const evidence = (component: string, but: Partial<StoredEvidence> = {}): StoredEvidence => ({
  component,
  deployment: `dev-${component}`,
  seen: undefined,
  report: undefined,
  ...but,
});

function step(but: Partial<JudgedStep> = {}): JudgedStep {
  const { rendering: _rendering, ...stored } = aStep('dev', { binding: 'shop-dev-binding', ready: now });
  return { ...stored, evidence: [evidence('web')], wait: undefined, isNew: false, ...but };
}

function asked(steps: readonly JudgedStep[], moment = later(20, 'NotReported')): string[] {
  const knocks = askAgain('team', { application: 'shop' }, steps, 'NotReported', moment);
  return knocks.map(({ type, subject }) => `${type} ${subject.namespace}/${subject.name}`);
}

describe('a run that waits, and hears nothing', () => {
  it('asks for its Binding and for the deployments that it has not seen as they should be', () => {
    const argo = { namespace: 'argocd', applicationId: 'uid-1' };
    const steps = [
      step({ evidence: [evidence('web', { argo }), evidence('api'), evidence('done', { seen: aReport() })] }),
    ];

    expect(asked(steps)).toEqual([
      'binding.changed.v1 team/shop-dev-binding',
      'gitops-deployment.changed.v1 team/dev-web',
      'argo-application.changed.v1 argocd/gitopsdepl-uid-1',
      'gitops-deployment.changed.v1 team/dev-api',
    ]);
  });

  it.each([
    ['has just begun to wait', [step()], later(5, 'NotReported')],
    ['waits for something else than before', [step()], later(20, 'NotHealthy')],
    ['was never seen to wait', [step()], later(20)],
    ['waits for its place', [step({ ready: undefined })], later(20, 'NotReported')],
    ['has ended', [step({ status: 'success' })], later(20, 'NotReported')],
  ])('asks nobody where it %s', (_where, steps, moment) => {
    expect(asked(steps, moment)).toEqual([]);
  });
});
