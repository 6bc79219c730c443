import { describe, expect, it } from 'vitest';
import { decideDeployment } from '../../../shared/domain/gitops/decide-deployment.ts';
import type { ObservedDeployment } from '../../../shared/domain/gitops/deployment.ts';
import {
  aDeployment,
  aDeploymentSpec,
  anApplication,
  anObservation,
  does,
  engine,
  tenant,
  today,
  wakes,
} from '../../support/a-deployment.ts';

const source = aDeploymentSpec().source;
const staging = { environment: 'staging', namespace: 'shop' };
const wrong = 'ErrorOccurred';
const before = { lastProbeTime: '2026-01-01T00:00:00Z', lastTransitionTime: '2026-01-01T00:00:00Z' };

interface Rule {
  readonly seen: Partial<ObservedDeployment>;
  readonly does: readonly string[];
  readonly wakes?: readonly string[];
}

const rules: Record<string, Rule> = {
  'RD-05 a new deployment gets an application': {
    seen: {},
    does: ['create-application u1'],
    wakes: ['operation.requested.v1 team/application.u1'],
  },
  'RD-08 nothing changed: nothing is done': { seen: { applications: [anApplication()] }, does: [] },
  'RD-05 a changed path is an update of the same application': {
    seen: {
      deployment: aDeployment({ spec: aDeploymentSpec({ source: { ...source, path: 'other' } }) }),
      applications: [anApplication()],
    },
    does: ['update-application u1'],
    wakes: ['operation.requested.v1 team/application.u1'],
  },
  'RD-11 a stored name that is not the deployment’s is an error, and nothing is touched': {
    seen: { applications: [anApplication({ name: 'gitopsdepl-other' })] },
    does: ["say-error the Application is stored as 'gitopsdepl-other', where 'gitopsdepl-u1' is expected"],
  },
  'RD-12 in a namespace that is being deleted nothing comes up any more': {
    seen: { namespaceEnding: true },
    does: [],
  },
  'RD-12 what was stored for an object of before goes even then': {
    seen: { namespaceEnding: true, applications: [anApplication({ id: 'u0' })] },
    does: ['delete-application u0'],
    wakes: ['operation.requested.v1 team/application.u0'],
  },
  'RD-07 without a namespace there is an error and no application': {
    seen: { tenant: undefined },
    does: [
      "say-error unable to retrieve the contents of the namespace 'team' containing the API resource 'shop'. Does it exist?",
    ],
  },
  'RD-14 an owner that got lost comes back': {
    seen: { applications: [anApplication({ ownerId: null })] },
    does: ['restore-owner u1'],
  },
  'WL-03 re-created under the same name: the old one goes in the same step as the new one comes': {
    seen: { applications: [anApplication({ id: 'u0', syncRuns: ['run'] })] },
    does: ['delete-application u0', 'create-application u1'],
    wakes: [
      'operation.requested.v1 team/application.u0',
      'operation.requested.v1 team/application.u1',
      'sync-run.changed.v1 team/run',
    ],
  },
  'an old one goes even where the new one has a fault': {
    seen: {
      deployment: aDeployment({ spec: aDeploymentSpec({ type: 'sometimes' }) }),
      applications: [anApplication({ id: 'u0' })],
    },
    does: ['delete-application u0', 'say-error spec type must be manual or automated'],
    wakes: ['operation.requested.v1 team/application.u0'],
  },
  'WL-05 the syncs that waited for it are woken when it comes': {
    seen: { waitingSyncRuns: ['early', 'earlier'] },
    does: ['create-application u1'],
    wakes: [
      'operation.requested.v1 team/application.u1',
      'sync-run.changed.v1 team/early',
      'sync-run.changed.v1 team/earlier',
    ],
  },
  'WL-04 the syncs that wait are not woken while it has a fault': {
    seen: {
      deployment: aDeployment({ spec: aDeploymentSpec({ source: { ...source, path: '' } }) }),
      waitingSyncRuns: ['early'],
    },
    does: ['say-error spec.source.path is a required field and it cannot be empty'],
  },
  'RT-09 a fault that is gone is resolved along with the update': {
    seen: {
      deployment: aDeployment({
        conditions: [
          { type: wrong, status: 'True', reason: wrong, message: 'spec.source.path cannot be empty', ...before },
        ],
      }),
    },
    does: ['create-application u1', 'resolve-error'],
    wakes: ['operation.requested.v1 team/application.u1'],
  },
  'RT-09 a fault that is resolved already is not resolved again': {
    seen: {
      applications: [anApplication()],
      deployment: aDeployment({
        conditions: [{ type: wrong, status: 'False', reason: 'ErrorOccurredResolved', message: '', ...before }],
      }),
    },
    does: [],
  },
  'RT-09 a fault that is said already is not said again': {
    seen: {
      deployment: aDeployment({
        spec: aDeploymentSpec({ source: { ...source, path: '/' } }),
        conditions: [
          { type: wrong, status: 'True', reason: wrong, message: "spec.source.path cannot be '/'", ...before },
        ],
      }),
    },
    does: [],
  },
  'defect 37: a failed operation is told to the user': {
    seen: {
      applications: [anApplication()],
      progress: { pending: false, failure: 'the Application is invalid', instanceId: 'argo-1', ownerId: 'team-uid' },
    },
    does: ['say-error the Application is invalid'],
  },
  'a failed operation is old news while the next one is on its way': {
    seen: {
      applications: [anApplication()],
      progress: { pending: true, failure: 'the Application is invalid', instanceId: 'argo-1', ownerId: 'team-uid' },
    },
    does: [],
  },
  'a tenant that was never placed gets the Argo CD with the fewest tenants': {
    seen: {
      tenant: {
        ...tenant,
        placed: undefined,
        engines: [
          { ...engine, tenants: 9 },
          { ...engine, instanceId: 'argo-2', tenants: 3 },
        ],
      },
    },
    does: ['create-application u1'],
    wakes: ['operation.requested.v1 team/application.u1'],
  },
  'an application stays with the Argo CD that has it': {
    seen: { applications: [anApplication({ instanceId: 'argo-0' })] },
    does: [],
  },
  'a new reconcile-at asks for everything to be compared, beside Argo CD too, and to be told again': {
    seen: {
      deployment: aDeployment({ reconcileAt: 'tuesday' }),
      applications: [anApplication({ reconcileAt: 'monday' })],
    },
    does: ['repair-application u1'],
    wakes: ['operation.requested.v1 team/application.u1', 'argo-application.changed.v1 argocd/gitopsdepl-u1'],
  },
  'a new reconcile-at of an application beside another Argo CD than its tenant’s asks for it to be compared': {
    seen: {
      deployment: aDeployment({ reconcileAt: 'tuesday' }),
      applications: [anApplication({ reconcileAt: 'monday', instanceId: 'argo-0' })],
    },
    does: ['repair-application u1'],
    wakes: ['operation.requested.v1 team/application.u1'],
  },
  'a reconcile-at that was seen, or was taken away, asks for nothing': {
    seen: { applications: [anApplication({ reconcileAt: 'monday' })] },
    does: [],
  },
  'a sync that both belonged to the old one and waits for the new one is woken once': {
    seen: { applications: [anApplication({ id: 'u0', syncRuns: ['run', 'run'] })], waitingSyncRuns: ['run'] },
    does: ['delete-application u0', 'create-application u1'],
    wakes: [
      'operation.requested.v1 team/application.u0',
      'operation.requested.v1 team/application.u1',
      'sync-run.changed.v1 team/run',
    ],
  },
  'an environment that got lost from the row comes back into it': {
    seen: { applications: [anApplication({ environmentId: null })] },
    does: ['update-application u1'],
    wakes: ['operation.requested.v1 team/application.u1'],
  },
  'RT-12 switched from an environment to the own namespace: an update': {
    seen: { applications: [anApplication({ environmentId: 'e1', spec: '{}' })] },
    does: ['update-application u1'],
    wakes: ['operation.requested.v1 team/application.u1'],
  },
  'RT-11 switched from the own namespace to an environment: an update': {
    seen: {
      deployment: aDeployment({ spec: aDeploymentSpec({ destination: staging }) }),
      applications: [anApplication()],
      environment: { state: 'ready', id: 'e1', namespaces: [] },
    },
    does: ['update-application u1'],
    wakes: ['operation.requested.v1 team/application.u1'],
  },
};

describe('a GitOpsDeployment', () => {
  it.each(Object.entries(rules))('%s', (_rule, { seen, does: expected, wakes: woken = [] }) => {
    const step = decideDeployment(anObservation(seen), today);

    expect(does(step)).toEqual(expected);
    expect(wakes(step)).toEqual(woken);
    if (step.next.kind !== 'settled') expect(step.next).toMatchObject({ wait: { reason: 'OperationFailed' } });
  });

  it('says what it stores: the application of its own UID, where it goes, and on which Argo CD', () => {
    const [effect] = decideDeployment(anObservation(), today).effects;

    expect(effect).toEqual({
      do: 'create-application',
      id: 'u1',
      name: 'gitopsdepl-u1',
      spec: anApplication().spec,
      instanceId: 'argo-1',
      environmentId: 'team-uid',
      reconcileAt: '',
    });
  });
});
