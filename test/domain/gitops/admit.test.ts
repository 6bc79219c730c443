import { describe, expect, it } from 'vitest';
import {
  admitDeployment,
  admitManagedEnvironment,
  admitRepositoryCredential,
  admitSyncRun,
  letIn,
} from '../../../shared/domain/gitops/admit.ts';
import type { DeploymentSpec } from '../../../shared/domain/gitops/deployment.ts';
import type { EnvironmentSpec } from '../../../shared/domain/gitops/managed-environment.ts';

const source = { repoURL: 'https://git.example/guestbook', path: 'deploy', targetRevision: '' };
const ownNamespace = { environment: '', namespace: '' };
const magic = 'zyxwvutsrqponmlkjihgfedcba-abcdefghijklmnoqrstuvwxyz';

function deployment(but: Partial<DeploymentSpec> = {}, isStored = false) {
  const spec = { source, destination: ownNamespace, type: 'automated', syncOptions: [], ...but };
  return admitDeployment({ namespace: 'team-a', name: 'web', spec }, isStored);
}

describe.each([
  ['created', false],
  ['changed', true],
])('BS-16 a GitOpsDeployment that is %s', (_what, isStored) => {
  const badOption =
    'the specified sync option in .spec.syncPolicy.syncOptions is either mispelled or is not supported by GitOpsDeployment';
  const lonely = 'the environment field should not be empty when the namespace is non-empty';

  it.each<[string, Partial<DeploymentSpec>, string | undefined]>([
    ['automated', {}, undefined],
    ['manual', { type: 'manual' }, undefined],
    ['another type', { type: 'Automated' }, 'spec type must be manual or automated'],
    ['no type', { type: '' }, 'spec type must be manual or automated'],
    ['both sync options', { syncOptions: ['CreateNamespace=true', 'CreateNamespace=false'] }, undefined],
    ['another sync option', { syncOptions: ['CreateNamespace=true', 'CreateNamespace=yes'] }, badOption],
    ['a namespace without an environment', { destination: { environment: '', namespace: 'other' } }, lonely],
    ['the own namespace without an environment', { destination: { environment: '', namespace: 'team-a' } }, undefined],
    ['an environment with a namespace', { destination: { environment: 'staging', namespace: 'web' } }, undefined],
  ])('%s', (_which, but, refused) => {
    expect(deployment(but, isStored)).toEqual({ refused, warnings: [] });
  });

  it('everything wrong at once: the type goes first, then the options, then the namespace', () => {
    const destination = { environment: '', namespace: 'other' };
    const syncOptions = ['Prune=maybe'];

    expect(deployment({ type: 'x', syncOptions, destination }, isStored).refused).toMatch(/^spec type/);
    expect(deployment({ syncOptions, destination }, isStored).refused).toBe(badOption);
  });

  it('defect 38: what a condition answers is let in, with the sentence of the condition as a warning', () => {
    const lacking = { environment: 'staging', namespace: '' };

    expect(deployment({ source: { ...source, path: '' } }, isStored)).toEqual({
      refused: undefined,
      warnings: ['spec.source.path is a required field and it cannot be empty'],
    });
    expect(deployment({ source: { ...source, path: '/' } }, isStored).warnings).toEqual([
      "spec.source.path cannot be '/'",
    ]);
    expect(deployment({ destination: lacking }, isStored).warnings).toHaveLength(1);
  });

  it('an empty path does not hide what is refused', () => {
    expect(deployment({ type: 'x', source: { ...source, path: '' } }, isStored).refused).toMatch(/^spec type/);
  });
});

describe('BS-16 a GitOpsDeploymentSyncRun', () => {
  const run = { name: 'now', deploymentName: 'web', revisionId: 'main' };

  it('is let in, under every name but one', () => {
    expect(admitSyncRun(run, undefined)).toBe(letIn);
    expect(admitSyncRun({ ...run, name: magic }, undefined).refused).toBe(`name should not be ${magic}`);
  });

  it('may change: a condition says that it does not count, and a warning says so now', () => {
    expect(admitSyncRun({ ...run, name: magic }, { ...run, name: magic })).toBe(letIn);
    expect(admitSyncRun({ ...run, revisionId: 'beef' }, run)).toEqual({
      refused: undefined,
      warnings: ['gitopsDeploymentName and revisionID cannot change: what was asked for first counts'],
    });
  });
});

describe('BS-16 a GitOpsDeploymentManagedEnvironment', () => {
  function environment(apiURL: string, but: Partial<EnvironmentSpec> = {}) {
    return admitManagedEnvironment({
      apiURL,
      credentialsSecret: '',
      allowInsecureSkipTLSVerify: false,
      createNewServiceAccount: false,
      namespaces: [],
      clusterResources: false,
      ...but,
    });
  }
  const notHttps = 'cluster api url must start with https://';

  it.each<[string, string | undefined]>([
    ['', undefined],
    ['https://api.example:6443', undefined],
    ['HTTPS://api.example', undefined],
    ['https://[::1]:6443', undefined],
    ['http://api.example', notHttps],
    ['ftp://api.example', notHttps],
    ['/api', notHttps],
    ['api.example', 'parse "api.example": invalid URI for request'],
    [':6443', 'parse ":6443": missing protocol scheme'],
    ['https://api.example:port', 'parse "https://api.example:port": invalid port ":port" after host'],
    ['https://api .example', 'parse "https://api .example": invalid character " " in host name'],
    ['https://api.example/%zz', 'parse "https://api.example/%zz": invalid URL escape "%zz"'],
    ['https://api.example\n', 'parse "https://api.example\\n": net/url: invalid control character in URL'],
  ])('with the address %j', (apiURL, refused) => {
    expect(environment(apiURL)).toEqual({ refused, warnings: [] });
  });

  it('defect 38: what a condition answers is let in with a warning', () => {
    expect(environment('https://api.example?a=b')).toEqual({
      refused: undefined,
      warnings: ['the API URL must not have ? or & values'],
    });
    expect(environment('', { namespaces: ['Not A Name'] }).warnings).toEqual([
      'user specified an invalid namespace: Not A Name',
    ]);
  });

  it('does not repeat a password', () => {
    expect(environment('https://me:secret@api.example:port').refused).not.toContain('secret');
  });
});

describe('BS-16 a GitOpsDeploymentRepositoryCredential', () => {
  const refusal = 'repository must begin with ssh:// or https://';

  it.each<[string, string | undefined]>([
    ['', undefined],
    ['https://git.example/team/app', undefined],
    ['ssh://git@git.example/team/app.git', undefined],
    ['http://git.example/team/app', refusal],
    ['smtp://git.example/team/app', refusal],
    ['git.example/team/app', refusal],
    ['/team/app', refusal],
    ['https://git.example:port/team/app', refusal],
  ])('with the repository %j', (repository, refused) => {
    expect(admitRepositoryCredential({ repository })).toEqual({ refused, warnings: [] });
  });

  it('defect 38: an address that the reconciler understands is let in, however it is written', () => {
    expect(admitRepositoryCredential({ repository: 'git@git.example:team/app.git' })).toEqual(letIn);
  });

  it('defect 38: what a condition answers is let in with a warning that does not repeat a password', () => {
    const { refused, warnings } = admitRepositoryCredential({ repository: 'https://me:secret@git.example/team/app' });

    expect(refused).toBeUndefined();
    expect(warnings).toHaveLength(1);
    expect(warnings.join()).not.toContain('secret');
  });
});
