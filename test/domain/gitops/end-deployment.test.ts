import { describe, expect, it } from 'vitest';
import { decideDeployment } from '../../../shared/domain/gitops/decide-deployment.ts';
import { type ApplicationProgress, deploymentFinalizer } from '../../../shared/domain/gitops/deployment.ts';
import { aDeployment, anApplication, anObservation, does, today, wakes } from '../../support/a-deployment.ts';

const held = aDeployment({ deleting: true, finalizers: ['others.example.com/keep', deploymentFinalizer] });
const done: ApplicationProgress = { pending: false, failure: null, instanceId: 'argo-1', ownerId: 'team-uid' };
const failed = { ...done, failure: 'the API server said no' };

describe('a GitOpsDeployment that is gone or going', () => {
  it('RD-05 gone: everything that was stored under its name goes, and its syncs hear of it', () => {
    const step = decideDeployment(
      anObservation({
        deployment: undefined,
        applications: [anApplication({ id: 'u0' }), anApplication({ syncRuns: ['run'] })],
      }),
      today,
    );

    expect(does(step)).toEqual(['delete-application u0', 'delete-application u1']);
    expect(wakes(step)).toEqual([
      'operation.requested.v1 team/application.u0',
      'operation.requested.v1 team/application.u1',
      'sync-run.changed.v1 team/run',
    ]);
    expect(step.next).toEqual({ kind: 'settled' });
  });

  it('defect 36: gone with its namespace: it goes all the same', () => {
    const step = decideDeployment(
      anObservation({ deployment: undefined, tenant: undefined, applications: [anApplication()] }),
      today,
    );

    expect(does(step)).toEqual(['delete-application u1']);
  });

  it('gone and cleaned up: nothing is done', () => {
    const step = decideDeployment(anObservation({ deployment: undefined }), today);

    expect(does(step)).toEqual([]);
    expect(step.next).toEqual({ kind: 'settled' });
  });

  it('being deleted, held by a finalizer of somebody else: it goes as if it were gone', () => {
    const deployment = aDeployment({ deleting: true, finalizers: ['others.example.com/keep'] });
    const step = decideDeployment(anObservation({ deployment, applications: [anApplication()] }), today);

    expect(does(step)).toEqual(['delete-application u1']);
    expect(step.next).toEqual({ kind: 'settled' });
  });

  it('with the finalizer: the rows go first, and the object waits for Argo CD', () => {
    const step = decideDeployment(anObservation({ deployment: held, applications: [anApplication()] }), today);

    expect(does(step)).toEqual(['delete-application u1']);
    expect(step.next).toMatchObject({
      kind: 'blocked',
      on: 'Operation application.u1',
      wait: { reason: 'ApplicationEnding' },
    });
  });

  it('with the finalizer: while Argo CD is at it, the object stays', () => {
    const step = decideDeployment(anObservation({ deployment: held, progress: { ...done, pending: true } }), today);

    expect(does(step)).toEqual([]);
    expect(step.next).toMatchObject({ kind: 'blocked' });
  });

  it('RT-15 with the finalizer: it is taken away when rows and operation are through', () => {
    const step = decideDeployment(anObservation({ deployment: held, progress: done }), today);

    expect(does(step)).toEqual(['remove-finalizer']);
    expect(step.next).toEqual({ kind: 'settled' });
  });

  it('RD-06 with the finalizer, and the rows removed by somebody else: it is taken away', () => {
    expect(does(decideDeployment(anObservation({ deployment: held }), today))).toEqual(['remove-finalizer']);
  });

  it('RT-16 without the finalizer nothing is taken away', () => {
    const deployment = aDeployment({ deleting: true, finalizers: ['others.example.com/keep'] });

    expect(does(decideDeployment(anObservation({ deployment }), today))).toEqual([]);
  });

  it('defect 26: a deletion that failed is told to the user, who keeps the object until it has worked', () => {
    const step = decideDeployment(anObservation({ deployment: held, progress: failed }), today);

    expect(does(step)).toEqual(['say-error the API server said no']);
    expect(step.next).toMatchObject({ kind: 'recheck', afterSeconds: 900, wait: { reason: 'OperationFailed' } });
  });

  it('defect 26: after a while the deletion is tried again, beside the Argo CD that it was on', () => {
    const { now } = today;
    const waiting = { reason: 'OperationFailed', since: now - 900_000, deadline: now };
    const step = decideDeployment(anObservation({ deployment: held, progress: failed }), { now, waiting });

    expect(step.effects[0]).toEqual({ do: 'retry-application', id: 'u1', instanceId: 'argo-1' });
    expect(wakes(step)).toEqual(['operation.requested.v1 team/application.u1']);
  });

  it('a deletion that failed is not tried again just because somebody looks', () => {
    const { now } = today;
    const waiting = { reason: 'OperationFailed', since: now - 60_000, deadline: now + 840_000 };
    const step = decideDeployment(anObservation({ deployment: held, progress: failed }), { now, waiting });

    expect(wakes(step)).toEqual([]);
  });

  it('syncs that wait for a deployment are not woken by its end', () => {
    const step = decideDeployment(anObservation({ deployment: undefined, waitingSyncRuns: ['early'] }), today);

    expect(wakes(step)).toEqual([]);
  });
});
