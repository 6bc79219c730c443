import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secrets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { projectName, repositorySecretName } from '../../../../shared/domain/gitops/names.ts';
import { argoNamespace, type GitOpsWorld } from '../../../support/gitops-world.ts';
import { openCredentialScene } from './credential-scene.ts';
import { type PlayedGitHost, startPlayedGitHost } from './played-git-host.ts';

/** What Argo CD gets of a credential, from its making to its end. */
export function describeCredentialsBesideArgoCd(open: () => Promise<GitOpsWorld>): void {
  describe('a repository credential, beside Argo CD', () => {
    let world: GitOpsWorld;
    let host: PlayedGitHost;
    beforeAll(async () => {
      host = await startPlayedGitHost();
      world = await open();
    });
    afterAll(async () => {
      await world?.close();
      await host?.stop();
    });

    /** The values of the repository Secret in the clear; undefined where there is none. */
    async function secretOf(uid: string) {
      const found = await world.cluster.read(secrets, { namespace: argoNamespace, name: repositorySecretName(uid) });
      if (found === undefined) return undefined;
      const data = Object.entries(found.data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]);
      return { labels: found.metadata.labels, annotations: found.metadata.annotations, data: Object.fromEntries(data) };
    }

    async function working() {
      const scene = await openCredentialScene(world, host);
      await scene.makeSecret({ username: 'me', password: 'hunter2', sshPrivateKey: 'first key' });
      const uid = await scene.make();
      await world.settle();
      return { scene, uid };
    }

    it('is a Secret of its own that only the tenant’s project may use', async () => {
      const { scene, uid } = await working();

      expect(await secretOf(uid)).toEqual({
        labels: { 'argocd.argoproj.io/secret-type': 'repository', databaseID: uid },
        annotations: { 'managed-by': 'argocd.argoproj.io' },
        data: {
          name: 'creds',
          url: scene.url,
          username: 'me',
          password: 'hunter2',
          sshPrivateKey: 'first key',
          project: projectName(scene.namespace.uid),
        },
      });
    });

    it('defects 3 and 9: a rotated password and a rotated key arrive', async () => {
      const { scene, uid } = await working();
      host.repositories.set(scene.path, 'hunter3');

      const data = { password: 'hunter3', sshPrivateKey: 'second key' };
      await world.cluster.patch(
        secrets,
        { namespace: scene.namespace.name, name: 'creds' },
        {
          data: Object.fromEntries(
            Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
          ),
        },
      );
      await world.settle();

      expect((await secretOf(uid))?.data).toMatchObject(data);
    });

    it('goes with its object', async () => {
      const { scene, uid } = await working();
      expect(await secretOf(uid)).toBeDefined();

      await scene.drop();
      await world.settle();

      expect(await secretOf(uid)).toBeUndefined();
    });

    it('goes with its object, where the next one has its name already', async () => {
      const { scene, uid: old } = await working();

      await scene.drop();
      const fresh = await scene.make();
      await world.settle();

      expect(await secretOf(old)).toBeUndefined();
      expect(await secretOf(fresh)).toBeDefined();
    });

    it('defect 37: what fails there is said on the object until it is well again', async () => {
      const { scene, uid } = await working();

      await world.sql`update operation set state = 'Failed', human_readable_state = 'Argo CD says no' where resource_id = ${uid}`;
      world.knock('repo-credential.changed.v1', scene.key);
      await world.settle();
      const failing = await scene.says();
      await world.sql`update operation set state = 'Completed', human_readable_state = '' where resource_id = ${uid}`;
      world.knock('repo-credential.changed.v1', scene.key);
      await world.settle();

      expect(failing['ErrorOccurred']).toEqual([
        'True',
        'ErrorOccurred',
        'Argo CD could not be given the credential: Argo CD says no',
      ]);
      expect(failing['ValidRepositoryCredential']?.[0]).toBe('True');
      expect((await scene.says())['ErrorOccurred']?.[1]).toBe('RepositoryCredentialUpToDate');
    });
  });
}
