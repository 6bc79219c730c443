import { describe, expect, it } from 'vitest';
import { decideDeployment } from '../../../shared/domain/gitops/decide-deployment.ts';
import { type Deployment, deploymentFinalizer } from '../../../shared/domain/gitops/deployment.ts';
import { inCondition } from '../../../shared/domain/gitops/deployment-step.ts';
import { aDeployment, aDeploymentSpec, anApplication, anObservation, does, today } from '../../support/a-deployment.ts';

const sentence = 'spec type must be manual or automated';
const at = new Date(today.now).toISOString();
const told = { ...inCondition(sentence), lastTransitionTime: at, lastProbeTime: at };

function faulty(but: Partial<Deployment> = {}): Deployment {
  return aDeployment({ spec: aDeploymentSpec({ type: 'sometimes' }), ...but });
}

describe('the note that a GitOpsDeployment is faulty', () => {
  it('BM-01 is written once: who is told and noted is left alone', () => {
    const seen = anObservation({ deployment: faulty({ conditions: [told] }), troubled: ['u1'] });

    expect(decideDeployment(seen, today).effects).toEqual([]);
  });

  it('that got lost after the user was told is written when somebody looks again', () => {
    const seen = anObservation({ deployment: faulty({ conditions: [told] }), troubled: [] });

    expect(does(decideDeployment(seen, today))).toEqual([`say-error ${sentence}`]);
  });

  it('goes with the fault, and also where the user has read already that it is gone', () => {
    const stored = { applications: [anApplication()], troubled: ['u1'] };

    expect(does(decideDeployment(anObservation(stored), today))).toEqual(['resolve-error']);
  });

  it('about an object of before goes, and that about the object of today stays', () => {
    const seen = anObservation({ deployment: faulty({ conditions: [told] }), troubled: ['u0', 'u1'] });

    expect(does(decideDeployment(seen, today))).toEqual(['forget-trouble u0']);
  });

  it('MT-01 goes with the object, although nothing else is stored of it', () => {
    const seen = anObservation({ deployment: undefined, troubled: ['u0', 'u1'] });

    expect(does(decideDeployment(seen, today))).toEqual(['forget-trouble u0', 'forget-trouble u1']);
  });

  it('goes when the object is on its way out, unless its user waits to hear how that goes', () => {
    const going = faulty({ conditions: [told], deleting: true });
    const held = { ...going, finalizers: [deploymentFinalizer] };
    const pending = { pending: true, failure: null, instanceId: 'argo-1', ownerId: null };

    expect(does(decideDeployment(anObservation({ deployment: going }), today))).toEqual(['forget-trouble u1']);
    expect(does(decideDeployment(anObservation({ deployment: held, progress: pending }), today))).toEqual([]);
  });

  it('stays while nobody can tell', () => {
    const spec = aDeploymentSpec({ destination: { environment: 'staging', namespace: 'shop' } });
    const deployment = aDeployment({ spec, conditions: [told] });
    const seen = anObservation({ deployment, environment: { state: 'unseen' }, troubled: ['u1'] });

    expect(does(decideDeployment(seen, today))).toEqual([]);
  });
});
