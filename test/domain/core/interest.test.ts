import { describe, expect, it } from 'vitest';
import { type Change, isLater, whoCares } from '../../../shared/domain/core/interest.ts';

const claim = (name: string, version?: string): Change => ({
  group: 'appstudio.redhat.com',
  kind: 'DeploymentTargetClaim',
  namespace: 'team',
  name,
  version,
});

describe('who cares', () => {
  it('WL-09 is nobody, for a kind that is not in the table', () => {
    expect(whoCares([{ group: 'apps', kind: 'Deployment', namespace: 'team', name: 'web' }])).toEqual([]);
  });

  it('BC-01 tells kinds of the same name apart by their group', () => {
    const ours = { group: 'appstudio.redhat.com', kind: 'Application', namespace: 'team', name: 'shop' };
    const argos = { group: 'argoproj.io', kind: 'Application', namespace: 'argocd', name: 'shop' };

    expect(whoCares([ours, argos]).map(({ type }) => type)).toEqual([
      'application.changed.v1',
      'argo-application.changed.v1',
    ]);
  });

  it('BC-01 makes one knock of many changes of one object, at the latest version whatever their order', () => {
    const knocks = whoCares([claim('web', '9'), claim('web', '100'), claim('web', '20'), claim('api', '3')]);

    expect(knocks).toEqual([
      { type: 'claim.changed.v1', subject: { namespace: 'team', name: 'web', version: '100' } },
      { type: 'claim.changed.v1', subject: { namespace: 'team', name: 'api', version: '3' } },
    ]);
  });

  it('keeps the knock without a version, because it always leads to a look', () => {
    expect(whoCares([claim('web', '9'), claim('web'), claim('web', '10')])).toEqual([
      { type: 'claim.changed.v1', subject: { namespace: 'team', name: 'web' } },
    ]);
  });

  it.each([
    ['kind', { kind: 'DeploymentTarget' }],
    ['name', { name: 'api' }],
    ['namespace', { namespace: 'another-team' }],
  ])('BC-01 makes two knocks of changes that differ in their %s', (_field, but) => {
    expect(whoCares([claim('web', '9'), { ...claim('web', '9'), ...but }])).toHaveLength(2);
  });

  it('puts an Application in line with its own parts', () => {
    const [knock] = whoCares([{ group: 'appstudio.redhat.com', kind: 'Application', namespace: 'team', name: 'shop' }]);

    expect(knock?.subject.application).toBe('shop');
  });

  it('passes on the application that a part of it names', () => {
    const [knock] = whoCares([
      { group: 'appstudio.redhat.com', kind: 'Snapshot', namespace: 'team', name: 's1', application: 'shop' },
    ]);

    expect(knock?.subject.application).toBe('shop');
  });
});

describe('a version is later', () => {
  it.each([
    ['10', '9', true],
    ['9', '10', false],
    ['9', '9', false],
    [undefined, '9', true],
    ['9', undefined, false],
    ['99999999999999999', '99999999999999998', true],
  ])('%s after %s: %s', (version, than, expected) => {
    expect(isLater(version, than)).toBe(expected);
  });
});

describe('an Argo CD Application', () => {
  const change = { group: 'argoproj.io', kind: 'Application', namespace: 'argocd', name: 'gitopsdepl-1', version: '7' };

  it('that Argo CD has not looked at yet is worth nobody’s look', () => {
    expect(whoCares([{ ...change, untouched: true }])).toEqual([]);
  });

  it('is worth one as soon as it has a status, and when it is gone', () => {
    expect(whoCares([change])).toMatchObject([{ type: 'argo-application.changed.v1' }]);
  });
});

describe('a SpaceRequest', () => {
  const change = { group: 'toolchain.dev.openshift.com', kind: 'SpaceRequest', namespace: 'team', name: 'dtc-1a2b3' };
  const wakes = (labels?: Record<string, string>) =>
    whoCares([{ ...change, version: '7', labels }]).map(({ type, subject }) => `${type} ${subject.name}`);

  it('wakes who fulfils it, and nobody else where no label says for whom it was made', () => {
    expect(wakes()).toEqual(['space-request.changed.v1 dtc-1a2b3']);
    expect(wakes({ 'appstudio.openshift.io/dtc': '', other: 'dtc' })).toEqual(['space-request.changed.v1 dtc-1a2b3']);
  });

  it('wakes who makes a target for the claim of its label, and who frees what is behind the target of its label', () => {
    expect(wakes({ 'appstudio.openshift.io/dtc': 'dtc', 'appstudio.openshift.io/dt': 'dtc-dt' })).toEqual([
      'space-request.changed.v1 dtc-1a2b3',
      'target.requested.v1 dtc',
      'target.released.v1 dtc-dt',
    ]);
  });

  it('tells its own version, and none where it has none', () => {
    const labels = { 'appstudio.openshift.io/dtc': 'dtc' };

    expect(whoCares([{ ...change, version: '7', labels }])[1]?.subject).toEqual({
      namespace: 'team',
      name: 'dtc',
      version: '7',
    });
    expect(whoCares([{ ...change, labels }])[1]?.subject).toEqual({ namespace: 'team', name: 'dtc' });
  });

  it('and another one for the same claim are one knock there, at the later version', () => {
    const labels = { 'appstudio.openshift.io/dtc': 'dtc' };
    const knocks = whoCares([
      { ...change, name: 'a', version: '9', labels },
      { ...change, name: 'b', version: '10', labels },
    ]);

    expect(knocks.filter(({ type }) => type === 'target.requested.v1').map(({ subject }) => subject.version)).toEqual([
      '10',
    ]);
  });
});

describe('what an Environment owns', () => {
  const wakes = (group: string, kind: string, name: string) =>
    whoCares([{ group, kind, namespace: 'team', name }]).map(({ type, subject }) => `${type} ${subject.name}`);

  it('wakes it by the rest of its name', () => {
    const managed = ['managed-gitops.redhat.com', 'GitOpsDeploymentManagedEnvironment'] as const;

    expect(wakes(...managed, 'managed-environment-staging')).toEqual([
      'managed-environment.changed.v1 managed-environment-staging',
      'environment.changed.v1 staging',
    ]);
    expect(wakes('', 'Secret', 'managed-environment-secret-staging')).toEqual([
      'environment.changed.v1 staging',
      'secret.changed.v1 managed-environment-secret-staging',
    ]);
  });

  it.each(['managed-environment-', 'managed-environment-no\0ne', 'my-managed-environment-staging', 'mine'])(
    'is not what is called %s',
    (name) => {
      expect(wakes('managed-gitops.redhat.com', 'GitOpsDeploymentManagedEnvironment', name)).toEqual([
        `managed-environment.changed.v1 ${name}`,
      ]);
    },
  );
});
