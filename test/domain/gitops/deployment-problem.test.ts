import { describe, expect, it } from 'vitest';
import { decideDeployment } from '../../../shared/domain/gitops/decide-deployment.ts';
import type { DeploymentSpec, NamedEnvironment } from '../../../shared/domain/gitops/deployment.ts';
import { deploymentProblem } from '../../../shared/domain/gitops/deployment-problem.ts';
import { aDeployment, aDeploymentSpec, anApplication, anObservation, does, today } from '../../support/a-deployment.ts';

const source = aDeploymentSpec().source;
const repoURL = (url: string) => ({ source: { ...source, repoURL: url } });
const path = (given: string) => ({ source: { ...source, path: given } });
const onCreate = 'the namespace specified in the destination field is invalid';
const onUpdate = 'destination namespace specified in the .spec.Destination.Namespace field is invalid';
const unknownOption =
  'the specified sync option in .spec.syncPolicy.syncOptions is either mispelled or is not supported by GitOpsDeployment';

const problems: Record<string, [Partial<DeploymentSpec>, string | undefined]> = {
  'RT-03 an empty path': [path(''), 'spec.source.path is a required field and it cannot be empty'],
  'RT-03 a path of nothing but stripped characters': [
    path('&&\n'),
    'spec.source.path is a required field and it cannot be empty',
  ],
  'RT-03 the root as path': [path('/'), "spec.source.path cannot be '/'"],
  'a path that Postgres cannot read': [path('dep\u0000loy'), 'spec.source.path must not contain control characters'],
  'a path that is half a character': [path('dep\ud800'), 'spec.source.path must not contain control characters'],
  'a path in another language': [path('d\u00e9ploy/\u65e5\u672c'), undefined],
  'a revision that Postgres cannot read': [
    { source: { ...source, targetRevision: 'ma\u0000in' } },
    'spec.source.targetRevision must not contain control characters',
  ],
  'a type that does not exist': [{ type: 'Automated' }, 'spec type must be manual or automated'],
  'no type at all': [{ type: '' }, 'spec type must be manual or automated'],
  'RD-04 an unknown sync option': [{ syncOptions: ['CreateNamespace=foo'] }, unknownOption],
  'RD-04 an unknown sync option beside a known one': [
    { syncOptions: ['CreateNamespace=true', 'Prune=false'] },
    unknownOption,
  ],
  'RD-04 the sync options that are known': [
    { syncOptions: ['CreateNamespace=true', 'CreateNamespace=false'] },
    undefined,
  ],
  'the own namespace, by its name': [{ destination: { environment: '', namespace: 'team' } }, undefined],
  'a foreign namespace of the own cluster': [
    { destination: { environment: '', namespace: 'others' } },
    'the environment field should not be empty when the namespace is non-empty',
  ],
  'an environment without a namespace': [{ destination: { environment: 'staging', namespace: '' } }, onCreate],
  'an environment and all its namespaces': [{ destination: { environment: 'staging', namespace: '*' } }, onCreate],
  'an environment and no name of a namespace': [
    { destination: { environment: 'staging', namespace: 'Shop_1' } },
    onCreate,
  ],
  'an environment and a namespace': [{ destination: { environment: 'staging', namespace: 'shop-1' } }, undefined],
  'an environment that can never be': [
    { destination: { environment: 'stag\u0000ing', namespace: 'shop' } },
    'Unable to reconcile the ManagedEnvironment. Verify that the ManagedEnvironment and Secret are correctly defined, and have valid credentials',
  ],
  'no repository': [repoURL(''), 'spec.source.repoURL is invalid: repository must not be empty'],
  'a repository on the disk of Argo CD': [
    repoURL('file:///etc'),
    'spec.source.repoURL is invalid: repository must begin with ssh:// or https://',
  ],
  'a repository of the scp kind': [repoURL('git@example.com:team/shop.git'), undefined],
};

describe('what is wrong with a GitOpsDeployment', () => {
  it.each(Object.entries(problems))('%s', (_case, [but, text]) => {
    const deployment = { namespace: 'team', name: 'shop', spec: aDeploymentSpec(but) };

    expect(deploymentProblem(deployment, { isStored: false })).toBe(text);
  });

  it.each([
    'https://example.com/*',
    'https://example.com/team/sho?',
    'https://example.com/[a-z]/shop',
    'https://example.com/{team,others}/shop',
    '!https://example.com/team/shop',
    'https://example.com/team\\shop',
    'https://example.com/team/my shop',
    'https://jo:hunter2@example.com/team/shop',
    'not a url',
  ])(
    'a repository that Argo CD would read as a pattern, or that is none, is refused without being repeated: %s',
    (url) => {
      const problem = deploymentProblem(
        { namespace: 'team', name: 'shop', spec: aDeploymentSpec(repoURL(url)) },
        { isStored: false },
      );

      expect(problem).toMatch(/^spec\.source\.repoURL is invalid: repository must/);
      expect(problem).not.toContain(url);
      expect(problem).not.toContain('hunter2');
    },
  );

  it('RD-10 a name of 300 characters is an error of the user, and nothing is stored', () => {
    const step = decideDeployment(anObservation({ name: 'n'.repeat(300) }), today);

    expect(does(step)).toEqual(['say-error the name of the GitOpsDeployment must not be longer than 256 bytes']);
  });

  it('RD-10 a spec that is larger than its row is an error of the user, and nothing is stored', () => {
    const step = decideDeployment(
      anObservation({ deployment: aDeployment({ spec: aDeploymentSpec(path('d/'.repeat(40_000))) }) }),
      today,
    );

    expect(does(step)).toEqual(['say-error the GitOpsDeployment must not be larger than 65536 bytes']);
  });

  it('the sentence about the namespace is another one for a deployment that works already', () => {
    const spec = aDeploymentSpec({ destination: { environment: 'staging', namespace: '' } });

    expect(deploymentProblem({ namespace: 'team', name: 'shop', spec }, { isStored: true })).toBe(onUpdate);
  });

  it('defect 22: an error of the user is told once and not tried again and again', () => {
    const seen = anObservation({ deployment: aDeployment({ spec: aDeploymentSpec(path('')) }) });

    expect(decideDeployment(seen, today).next).toEqual({ kind: 'settled' });
  });

  it('defect 33: a deployment that works stays as it is while its new spec has a fault', () => {
    const step = decideDeployment(
      anObservation({
        deployment: aDeployment({ spec: aDeploymentSpec({ ...path('other'), type: 'sometimes' }) }),
        applications: [anApplication()],
      }),
      today,
    );

    expect(does(step)).toEqual(['say-error spec type must be manual or automated']);
  });
});

describe('the environment that a GitOpsDeployment names', () => {
  const create =
    'say-error Unable to reconcile the ManagedEnvironment. Verify that the ManagedEnvironment and Secret are correctly defined, and have valid credentials';
  const update =
    'say-error unable to reconcile the ManagedEnvironment resource. Ensure that the ManagedEnvironment exists, it references a Secret, and the Secret is valid';
  const blocked = { kind: 'blocked', on: 'GitOpsDeploymentManagedEnvironment staging' };

  it.each<[string, NamedEnvironment['state']]>([
    ['is not there', 'missing'],
    ['does not work', 'failed'],
  ])('%s: the condition says so, and it waits for the environment', (_what, state) => {
    const created = decideDeployment(toStaging({ state } as NamedEnvironment), today);
    const updated = decideDeployment(toStaging({ state } as NamedEnvironment, anApplication()), today);

    expect(does(created)).toEqual([create]);
    expect(does(updated)).toEqual([update]);
    expect(created.next).toMatchObject(blocked);
    expect(updated.next).toMatchObject(blocked);
  });

  it('has not been looked at yet: it waits a little, and says nothing', () => {
    const step = decideDeployment(toStaging({ state: 'unseen' }), today);

    expect(does(step)).toEqual([]);
    expect(step.next).toMatchObject({ ...blocked, wait: { reason: 'EnvironmentUnseen', deadlineSeconds: 60 } });
  });

  it('is still not looked at when the patience is over: the condition says so', () => {
    const { now } = today;
    const waiting = { reason: 'EnvironmentUnseen', since: now - 60_000, deadline: now };
    const step = decideDeployment(toStaging({ state: 'unseen' }), { now, waiting });

    expect(does(step)).toEqual([create]);
    expect(step.next).toMatchObject({ ...blocked, wait: { reason: 'EnvironmentFailed' } });
  });

  it('was deleted a moment ago: it may go next, so it stays what it is for a while', () => {
    const step = decideDeployment(toStaging({ state: 'missing' }, anApplication({ environmentId: null })), today);

    expect(does(step)).toEqual([]);
    expect(step.next).toMatchObject({ ...blocked, wait: { reason: 'EnvironmentLeft', deadlineSeconds: 300 } });
  });

  it.each(['EnvironmentLeft', 'EnvironmentGone'])(
    'RT-10 was deleted a while ago (%s): destination and environment are empty, and nothing is wrong',
    (reason) => {
      const { now } = today;
      const waiting = { reason, since: now - 300_000, deadline: now };
      const left = toStaging({ state: 'missing' }, anApplication({ environmentId: null }));
      const step = decideDeployment(left, { now, waiting });

      expect(step.effects).toMatchObject([{ do: 'update-application', environmentId: null }]);
      expect(JSON.stringify(step.effects)).toContain('\\"name\\":\\"\\"');
      expect(step.next).toMatchObject({ ...blocked, wait: { reason: 'EnvironmentGone' } });
    },
  );

  it('has a list of namespaces without the one that is asked for: the condition says which there are', () => {
    const ready: NamedEnvironment = { state: 'ready', id: 'e1', namespaces: ['blue', 'green'] };
    const ending = ": the ManagedEnvironment 'staging' only has the namespaces blue, green";

    expect(does(decideDeployment(toStaging(ready), today))).toEqual([`say-error ${onCreate}${ending}`]);
    expect(does(decideDeployment(toStaging(ready, anApplication()), today))).toEqual([
      `say-error ${onUpdate}${ending}`,
    ]);
    expect(decideDeployment(toStaging(ready), today).next).toMatchObject({
      ...blocked,
      wait: { reason: 'NamespaceClosed' },
    });
  });

  function toStaging(environment: NamedEnvironment, ...applications: ReturnType<typeof anApplication>[]) {
    const spec = aDeploymentSpec({ destination: { environment: 'staging', namespace: 'shop' } });
    return anObservation({ deployment: aDeployment({ spec }), environment, applications });
  }
});
