import { describe, expect, it } from 'vitest';
import { decideDeployment } from '../../../shared/domain/gitops/decide-deployment.ts';
import {
  aDeployment,
  aDeploymentSpec,
  anApplication,
  anObservation,
  does,
  engine,
  tenant,
  today,
} from '../../support/a-deployment.ts';

const staging = { environment: 'staging', namespace: 'shop' };

describe('where a GitOpsDeployment goes, and through which Argo CD', () => {
  it('RT-13 switched from one environment to another: row and destination follow', () => {
    const [effect] = decideDeployment(
      anObservation({
        deployment: aDeployment({ spec: aDeploymentSpec({ destination: staging }) }),
        applications: [anApplication({ environmentId: 'e1' })],
        environment: { state: 'ready', id: 'e2', namespaces: ['shop'] },
      }),
      today,
    ).effects;

    expect(effect).toMatchObject({ do: 'update-application', environmentId: 'e2' });
    expect(JSON.stringify(effect)).toContain('managed-env-e2');
  });

  it('without any Argo CD it says so and looks again', () => {
    const step = decideDeployment(anObservation({ tenant: { ...tenant, placed: undefined, engines: [] } }), today);

    expect(does(step)).toEqual([expect.stringMatching(/^say-error no Argo CD/)]);
    expect(step.next).toMatchObject({ kind: 'recheck', wait: { reason: 'NoArgoCD' } });
  });

  it('the own namespace is out of reach of an Argo CD of another cluster, an environment is not', () => {
    const far = { ...tenant, placed: { ...engine, local: false } };
    const own = decideDeployment(anObservation({ tenant: far }), today);
    const away = decideDeployment(
      anObservation({
        tenant: far,
        deployment: aDeployment({ spec: aDeploymentSpec({ destination: staging }) }),
        environment: { state: 'ready', id: 'e1', namespaces: [] },
      }),
      today,
    );

    expect(does(own)).toEqual([expect.stringMatching(/^say-error the Argo CD of this namespace/)]);
    expect(own.next).toEqual({ kind: 'settled' });
    expect(does(away)).toEqual(['create-application u1']);
  });

  it('never from the namespace of an Argo CD: what it deployed there would rule over that Argo CD', () => {
    const step = decideDeployment(anObservation({ isEngineNamespace: true }), today);

    expect(does(step)).toEqual([
      expect.stringContaining('say-error nothing is deployed from the namespace of an Argo CD'),
    ]);
  });
});
