import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appProjects, secrets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { labels } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import {
  applicationName,
  clusterSecretName,
  projectName,
  repositorySecretName,
} from '../../../../shared/domain/gitops/names.ts';
import { argoNamespace, type GitOpsWorld } from '../../../support/gitops-world.ts';
import { type OperationStage, openOperationStage, repository } from './operations-stage.ts';

/** The Secrets by which Argo CD reaches clusters and repositories follow their rows. */
export function describeOperationsOfSecrets(open: () => Promise<GitOpsWorld>): void {
  describe('an operation about credentials', () => {
    let world: GitOpsWorld;
    let stage: OperationStage;

    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      stage = await openOperationStage(world);
    });

    it('CO-02 CO-13 an application with an environment: project, cluster Secret and Application, in this order', async () => {
      const environmentId = await stage.environment({
        host: 'https://far.example:6443',
        token: 'the-token',
        namespaces: 'green,blue',
        clusterResources: true,
      });
      const id = await stage.application({ environmentId });

      const { did } = await stage.apply('Application', id);

      expect(did).toEqual(['create-project', 'create-cluster-secret', 'create-application', 'complete-operation']);
      const secret = await stage.clusterSecret(environmentId);
      expect(secret?.metadata.labels).toEqual({
        [labels.argoSecretType]: 'cluster',
        [labels.databaseId]: environmentId,
      });
      expect(secret?.values).toEqual({
        name: clusterSecretName(environmentId),
        server: `https://far.example:6443?managedEnvironment=${environmentId}`,
        config: JSON.stringify({ bearerToken: 'the-token', tlsClientConfig: { insecure: false } }),
        clusterResources: 'true',
        namespaces: 'blue,green',
      });
    });

    it('defect 4: new credentials reach the cluster Secret by an operation of the environment', async () => {
      const environmentId = await stage.environment({ token: 'before', namespaces: 'blue' });
      await stage.apply('ManagedEnvironment', environmentId);
      await stage.rotate(environmentId, { token: 'after', host: 'https://moved.example:6443' });

      const { did, woke } = await stage.apply('ManagedEnvironment', environmentId);

      expect(did).toEqual(['update-project', 'update-cluster-secret', 'complete-operation']);
      expect(woke).toEqual([]);
      const { values = {} } = (await stage.clusterSecret(environmentId)) ?? {};
      expect(JSON.parse(values['config'] ?? '')).toMatchObject({ bearerToken: 'after' });
      expect(values['server']).toContain('https://moved.example:6443');
      expect(values['namespaces']).toBeUndefined();
    });

    it.each([true, false])('CO-14 allowInsecureSkipTLSVerify %s is what Argo CD is told', async (insecure) => {
      const environmentId = await stage.environment({ insecure });

      await stage.apply('ManagedEnvironment', environmentId);

      const { values = {} } = (await stage.clusterSecret(environmentId)) ?? {};
      expect(JSON.parse(values['config'] ?? '')).toMatchObject({ tlsClientConfig: { insecure } });
    });

    it('a cluster Secret that was written is not read again for the next application', async () => {
      const environmentId = await stage.environment();
      await stage.apply('Application', await stage.application({ environmentId, name: 'first' }));

      const { asked } = await stage.apply('Application', await stage.application({ environmentId, name: 'second' }));

      expect(asked).toEqual(['POST applications']);
    });

    it('CO-31 CO-32 an environment whose row is gone loses its Secret and its place in the project', async () => {
      const environmentId = await stage.environment();
      const id = await stage.application();
      await stage.apply('Application', id);
      await stage.apply('ManagedEnvironment', environmentId);
      await stage.dropEnvironment(environmentId);

      const { did, woke } = await stage.apply('ManagedEnvironment', environmentId, { deploymentName: 'staging' });

      expect(did).toEqual(['delete-cluster-secret', 'update-project', 'complete-operation']);
      expect(woke).toEqual(['managed-environment.changed.v1 staging']);
      expect(await stage.clusterSecret(environmentId)).toBeUndefined();
      expect((await stage.project())?.spec.destinations.map(({ name }) => name)).toEqual(['in-cluster']);
    });

    it('a repair removes the project of a tenant that is gone, if the project says that it is of that tenant', async () => {
      const [gone, foreign] = [randomUUID(), randomUUID()];
      const make = (userId: string, username: string) =>
        stage.cluster.create(appProjects, {
          metadata: { namespace: argoNamespace, name: projectName(userId), annotations: { username } },
          spec: { sourceRepos: [], destinations: [] },
        });
      await make(gone, gone);
      await make(foreign, 'somebody');

      const { did } = await stage.apply('ManagedEnvironment', gone, { repair: true });
      const left = await stage.apply('ManagedEnvironment', foreign, { repair: true });

      expect(did).toEqual(['delete-project', 'complete-operation']);
      expect(left.did).toEqual(['complete-operation']);
      expect(await stage.cluster.read(appProjects, { namespace: argoNamespace, name: projectName(gone) })).toBe(
        undefined,
      );
    });

    it('CO-01 an address with ? or & in it is refused, and its owner hears of it', async () => {
      const environmentId = await stage.environment({ host: 'https://far.example?x=1' });
      const operation = await stage.request('ManagedEnvironment', environmentId);

      const { did, woke } = await stage.look('ManagedEnvironment', environmentId);

      expect(did).toEqual(['fail-operation']);
      expect(woke).toEqual(['managed-environment.changed.v1 staging']);
      expect((await stage.operation(operation))?.text).toBe('The address of the API server must not contain ? or &');
      expect(await stage.clusterSecret(environmentId)).toBeUndefined();
    });

    it('CP-01 a repository Secret has labels, annotation and data, and names its project', async () => {
      const id = await stage.repositoryCredentials({ password: 'pass-word' });

      const { did } = await stage.apply('RepositoryCredentials', id);

      expect(did).toEqual(['create-project', 'create-repository-secret', 'complete-operation']);
      const secret = await stage.repositorySecret(id);
      expect(secret?.metadata.labels).toEqual({ [labels.argoSecretType]: 'repository', [labels.databaseId]: id });
      expect(secret?.metadata.annotations).toMatchObject({ 'managed-by': 'argocd.argoproj.io' });
      expect(secret?.values).toEqual({
        name: 'my-secret',
        url: 'https://git.example/team/private',
        username: 'somebody',
        password: 'pass-word',
        project: projectName(stage.namespace.uid),
      });
    });

    it('CP-02 one with wrong data and without labels is corrected', async () => {
      const id = await stage.repositoryCredentials();
      await stage.cluster.create(secrets, {
        metadata: { namespace: argoNamespace, name: repositorySecretName(id) },
        type: 'Opaque',
        data: { url: 'bm8=', insecure: 'dHJ1ZQ==' },
      });

      const { did } = await stage.apply('RepositoryCredentials', id);

      expect(did).toEqual(['update-repository-secret', 'complete-operation']);
      const secret = await stage.repositorySecret(id);
      expect(secret?.metadata.labels[labels.databaseId]).toBe(id);
      expect(secret?.values).toMatchObject({ url: 'https://git.example/team/private' });
      expect(secret?.values['insecure']).toBeUndefined();
    });

    it('defect 9: a rotated SSH key reaches Argo CD under its own key, and nothing is written without need', async () => {
      const id = await stage.repositoryCredentials({ url: 'git@git.example:team/private.git', sshKey: 'key one' });
      await stage.apply('RepositoryCredentials', id);
      const idle = await stage.apply('RepositoryCredentials', id, { repair: true });
      await stage.rotateRepository(id, 'auth_ssh_key', 'key two');

      const { did } = await stage.apply('RepositoryCredentials', id);

      expect(idle.did).toEqual(['complete-operation']);
      expect(did).toEqual(['update-repository-secret', 'complete-operation']);
      expect((await stage.repositorySecret(id))?.values['sshPrivateKey']).toBe('key two');
    });

    it('CP-03 CP-04 credentials whose row is gone lose every Secret with their label', async () => {
      const id = await stage.repositoryCredentials();
      await stage.apply('RepositoryCredentials', id);
      const copy = `copy-of-${id}`;
      const both = { [labels.argoSecretType]: 'repository', [labels.databaseId]: id };
      await stage.cluster.create(secrets, {
        metadata: { namespace: argoNamespace, name: copy, labels: both },
        data: {},
      });
      await stage.dropRepositoryCredentials(id);

      const { did, woke } = await stage.apply('RepositoryCredentials', id, { deploymentName: 'private' });

      expect(did).toEqual([
        'delete-repository-secret',
        'delete-repository-secret',
        'delete-project',
        'complete-operation',
      ]);
      expect(woke).toEqual(['repo-credential.changed.v1 private']);
      expect(await stage.repositorySecret(id)).toBeUndefined();
      expect(await stage.secret(copy)).toBeUndefined();
    });

    it('a rotated credential makes Argo CD look again at what uses the repository, at once and when it has seen it', async () => {
      const id = await stage.repositoryCredentials({ url: `${repository}.git` });
      const [user, other] = [
        await stage.application(),
        await stage.application({ repoURL: 'https://git.example/team/other' }),
      ];
      for (const application of [user, other]) await stage.apply('Application', application);

      const { did, asked } = await stage.apply('RepositoryCredentials', id);

      expect(did.filter((what) => what === 'refresh-application')).toHaveLength(2);
      expect(asked.filter((request) => request === `PATCH ${applicationName(user)}`)).toHaveLength(2);
      expect((await stage.argoApplication(user))?.metadata.annotations).toMatchObject({
        'argocd.argoproj.io/refresh': 'normal',
      });
      expect((await stage.argoApplication(other))?.metadata.annotations).toEqual({});
    });

    it('CP-05 credentials that nobody ever wrote are nothing to do', async () => {
      const id = await stage.repositoryCredentials();
      await stage.dropRepositoryCredentials(id);

      const { did } = await stage.apply('RepositoryCredentials', id);

      expect(did).toEqual(['complete-operation']);
    });

    it('BS-15 no secret stands in a log line, in the step log, or in the ledger', async () => {
      const environmentId = await stage.environment({ token: 'very-secret-token' });
      const id = await stage.repositoryCredentials({ password: 'very-secret-password' });
      await stage.apply('ManagedEnvironment', environmentId);
      await stage.apply('RepositoryCredentials', id);

      const kept = await world.sql`
        select to_jsonb(s)::text as line from step_log s union all select to_jsonb(l)::text from ledger l
        union all select to_jsonb(o)::text from operation o`;
      const lines = (world.machine as unknown as { lines?: unknown[] }).lines ?? [];

      expect(kept.length).toBeGreaterThan(2);
      expect(JSON.stringify([kept, lines])).not.toContain('very-secret');
    });
  });
}
