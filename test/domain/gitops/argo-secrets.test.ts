import { describe, expect, it } from 'vitest';
import {
  type EnvironmentRow,
  environmentProblem,
  writtenClusterSecret,
} from '../../../shared/domain/gitops/cluster-secret.ts';
import { type CredentialsRow, writtenRepositorySecret } from '../../../shared/domain/gitops/repository-secret.ts';
import { secretData, secretPatch, type WrittenSecret } from '../../../shared/domain/gitops/written-object.ts';

const environment: EnvironmentRow = {
  id: 'e-1',
  local: false,
  credentialsId: 'c-1',
  host: 'https://far.example:6443',
  token: () => 'the-token',
  insecure: false,
  namespaces: [],
  clusterResources: false,
  accessible: true,
};

const credentials: CredentialsRow = {
  id: 'r-1',
  userId: 'u-1',
  url: 'https://git.example/team/private',
  secretName: 'my-secret',
  revision: 1,
  appliedRevision: 0,
  username: () => 'somebody',
  password: () => 'pass',
  sshKey: () => undefined,
};

describe('CO-01 the Secret of a cluster', () => {
  it('has exactly the labels and the values that Argo CD wants', () => {
    expect(writtenClusterSecret(environment, 'argocd')).toEqual({
      metadata: {
        name: 'managed-env-e-1',
        namespace: 'argocd',
        labels: { 'argocd.argoproj.io/secret-type': 'cluster', databaseID: 'e-1' },
      },
      values: {
        name: 'managed-env-e-1',
        server: 'https://far.example:6443?managedEnvironment=e-1',
        config: '{"bearerToken":"the-token","tlsClientConfig":{"insecure":false}}',
      },
    });
  });

  it('CO-13 says clusterResources and namespaces only where there is something to say, in a fixed order', () => {
    const { values } = writtenClusterSecret(
      { ...environment, clusterResources: true, namespaces: ['green', 'blue'] },
      'argocd',
    );

    expect(values).toMatchObject({ clusterResources: 'true', namespaces: 'blue,green' });
  });

  it('passes the authority of the cluster on, where it is to be checked', () => {
    const pem = { ...environment, certificateAuthority: 'PEM' };

    expect(JSON.parse(writtenClusterSecret(pem, 'argocd').values['config'] ?? '').tlsClientConfig).toEqual({
      insecure: false,
      caData: 'UEVN',
    });
    expect(
      JSON.parse(writtenClusterSecret({ ...pem, insecure: true }, 'argocd').values['config'] ?? '').tlsClientConfig,
    ).toEqual({ insecure: true });
  });

  it.each(['https://far.example?x=1', 'https://far.example/&', ''])('is not written for the address "%s"', (host) => {
    expect(environmentProblem({ host })).toBeDefined();
    expect(environmentProblem(environment)).toBeUndefined();
  });
});

describe('CP-01 the Secret of a repository', () => {
  it('has exactly the labels, the annotation and the values that Argo CD wants, and its project', () => {
    expect(writtenRepositorySecret(credentials, 'argocd')).toEqual({
      metadata: {
        name: 'repo-cred-r-1',
        namespace: 'argocd',
        labels: { 'argocd.argoproj.io/secret-type': 'repository', databaseID: 'r-1' },
        annotations: { 'managed-by': 'argocd.argoproj.io' },
      },
      values: {
        name: 'my-secret',
        url: 'https://git.example/team/private',
        project: 'app-project-u-1',
        username: 'somebody',
        password: 'pass',
      },
    });
  });

  it('has the key alone for a repository that a key opens', () => {
    const { values } = writtenRepositorySecret(
      { ...credentials, username: () => undefined, password: () => '', sshKey: () => 'KEY' },
      'argocd',
    );

    expect(Object.keys(values)).toEqual(['name', 'url', 'project', 'sshPrivateKey']);
  });
});

describe('CP-02 a Secret that is there', () => {
  const written = writtenRepositorySecret(credentials, 'argocd');
  const as = (data: Record<string, string>, metadata: Partial<WrittenSecret['metadata']> = {}) => ({
    data,
    metadata: {
      resourceVersion: '7',
      labels: { ...written.metadata.labels },
      annotations: { ...written.metadata.annotations },
      ...metadata,
    },
  });

  it('is left alone where it is as it should be', () => {
    expect(secretPatch(as(secretData(written)), written)).toBeUndefined();
  });

  it('defect 9: gets a rotated value under its own key, and loses what is no longer in it', () => {
    const patch = secretPatch(as({ ...secretData(written), password: 'b2xk', ssh: 'eA==' }), written);

    expect(patch).toEqual({ metadata: { resourceVersion: '7' }, data: { password: 'cGFzcw==', ssh: null } });
  });

  it('gets its labels and its annotation back, and keeps those of others', () => {
    const patch = secretPatch(as(secretData(written), { labels: { theirs: 'x' }, annotations: {} }), written);

    expect(patch).toEqual({
      metadata: {
        resourceVersion: '7',
        labels: { theirs: 'x', ...written.metadata.labels },
        annotations: written.metadata.annotations,
      },
    });
  });

  it('writes every text as base64 of UTF-8', () => {
    expect(secretData({ values: { key: 'pässwörd €' } })).toEqual({ key: 'cMOkc3N3w7ZyZCDigqw=' });
  });
});
