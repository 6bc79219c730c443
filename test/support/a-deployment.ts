import type { Moment, Step } from '../../shared/domain/core/step.ts';
import { applicationSpec } from '../../shared/domain/gitops/application-spec.ts';
import type {
  Deployment,
  DeploymentEffect,
  DeploymentSpec,
  ObservedDeployment,
  StoredApplication,
} from '../../shared/domain/gitops/deployment.ts';
import { applicationName } from '../../shared/domain/gitops/names.ts';
import type { Engine, Tenant } from '../../shared/domain/gitops/placement.ts';

/** A moment without a past. */
export const today: Moment = { now: Date.parse('2026-07-01T12:00:00Z') };

export const engine: Engine = {
  instanceId: 'argo-1',
  namespace: 'argocd',
  clusterId: 'cluster-1',
  local: true,
  transport: 'queue',
  acceptsTenants: true,
  tenants: 1,
};

export const tenant: Tenant = { namespace: 'team', namespaceUid: 'team-uid', placed: engine, engines: [] };

export function aDeploymentSpec(but: Partial<DeploymentSpec> = {}): DeploymentSpec {
  return {
    source: { repoURL: 'https://example.com/team/shop', path: 'deploy', targetRevision: '' },
    destination: { environment: '', namespace: '' },
    type: 'automated',
    syncOptions: [],
    ...but,
  };
}

export function aDeployment(but: Partial<Deployment> = {}): Deployment {
  return {
    uid: 'u1',
    deleting: false,
    finalizers: [],
    conditions: [],
    spec: aDeploymentSpec(),
    reconcileAt: '',
    ...but,
  };
}

/** What is stored of a deployment that goes to its own namespace, unless told otherwise. */
export function anApplication(but: Partial<StoredApplication> = {}): StoredApplication {
  const id = but.id ?? 'u1';
  return {
    id,
    uid: id,
    namespaceUid: 'team-uid',
    name: applicationName(id),
    spec: applicationSpec(aDeploymentSpec(), { namespace: 'team', userId: 'team-uid', target: { kind: 'local' } }),
    instanceId: 'argo-1',
    environmentId: 'team-uid',
    revision: '1',
    ownerId: 'team-uid',
    reconcileAt: '',
    syncRuns: [],
    ...but,
  };
}

/** What was said in its condition is noted, unless told otherwise. */
export function anObservation(but: Partial<ObservedDeployment> = {}): ObservedDeployment {
  const { deployment = aDeployment() } = but;
  return {
    namespace: 'team',
    name: 'shop',
    deployment,
    applications: [],
    tenant,
    namespaceEnding: false,
    isEngineNamespace: false,
    environment: undefined,
    progress: { pending: false, failure: null, instanceId: null, ownerId: null },
    waitingSyncRuns: [],
    troubled: deployment.conditions.some(({ status }) => status === 'True') ? [deployment.uid] : [],
    ...but,
  };
}

/** What a step does, in words. */
export function does({ effects }: Step<DeploymentEffect>): string[] {
  return effects.map((effect) => {
    switch (effect.do) {
      case 'say-error':
        return `say-error ${effect.message}`;
      case 'resolve-error':
      case 'remove-finalizer':
        return effect.do;
      default:
        return `${effect.do} ${effect.id}`;
    }
  });
}

export function wakes({ knocks }: Step): string[] {
  return knocks.map(({ type, subject }) => `${type} ${subject.namespace}/${subject.name}`);
}
