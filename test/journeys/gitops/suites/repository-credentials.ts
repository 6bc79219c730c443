import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryCredentials } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { openCredentialScene } from './credential-scene.ts';
import { type PlayedGitHost, startPlayedGitHost } from './played-git-host.ts';

/** What becomes of a credential that works: its rows, its rotation, its end. */
export function describeRepositoryCredentials(open: () => Promise<GitOpsWorld>): void {
  describe('a repository credential', () => {
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

    /** One that works, settled. */
    async function working() {
      const scene = await openCredentialScene(world, host);
      await scene.makeSecret();
      const uid = await scene.make();
      await world.settle();
      return { scene, uid };
    }

    it('SL-05 WR-02 create: it is stored under its UID, sealed, for its tenant, and Argo CD is told', async () => {
      const { scene, uid } = await working();

      const [row, ...others] = await scene.rows();
      expect(others).toEqual([]);
      expect(row).toMatchObject({
        id: uid,
        url: scene.url,
        secret_name: 'creds',
        revision: 1,
        user_id: scene.namespace.uid,
      });
      const [tenant] = await world.sql`select engine_instance_id from cluster_user where id = ${scene.namespace.uid}`;
      expect(row?.engine_instance_id).toBe(tenant?.['engine_instance_id']);
      expect(await scene.newOperations(uid)).toBe(1);
      expect(await scene.says()).toEqual({
        ErrorOccurred: ['False', 'RepositoryCredentialUpToDate', 'RepositoryCredentials are Valid'],
        ValidRepositoryURL: ['True', 'ValidRepositoryUrl', `Repository ${scene.url} exists`],
        ValidRepositoryCredential: [
          'True',
          'RepositoryCredentialUpToDate',
          `Repository Credentials provided creds for Repository ${scene.url} are valid`,
        ],
      });
    });

    it('BS-17 its conditions stand in the order of their types, with whole seconds', async () => {
      const { scene } = await working();
      const conditions = await scene.conditions();

      expect(conditions.map(({ type }) => type)).toEqual([
        'ErrorOccurred',
        'ValidRepositoryCredential',
        'ValidRepositoryURL',
      ]);
      for (const { lastTransitionTime } of conditions)
        expect(lastTransitionTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    });

    it('defect 27: what opens it is nowhere in the clear', async () => {
      const { scene } = await working();

      const said = await scene.everythingSaid();
      expect(said).toContain(scene.url);
      expect(said).not.toMatch(/hunter2|aHVudGVyMg/);
      expect(JSON.stringify((world.machine as { lines?: unknown }).lines ?? [])).not.toContain('hunter2');
    });

    it('SL-05 nothing changed: a second look writes nothing and asks nobody', async () => {
      const { scene, uid } = await working();
      await scene.newOperations(uid);
      const before = await scene.rows();
      host.asked.length = 0;
      world.connection.asked.length = 0;

      world.knock('repo-credential.changed.v1', scene.key);
      const ran = await world.settle();

      expect(ran.map(({ outcome }) => outcome)).toEqual([{ kind: 'stepped', next: 'recheck', effects: 0 }]);
      expect(world.connection.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
      expect(host.asked).toEqual([]);
      expect(await scene.rows()).toEqual(before);
      expect(await scene.newOperations(uid)).toBe(0);
    });

    it('SL-05 defect 3: a rotated password reaches Argo CD', async () => {
      const { scene, uid } = await working();
      await scene.newOperations(uid);
      const before = await scene.conditions();

      host.repositories.set(scene.path, 'hunter3');
      await scene.rotate('hunter3');
      await world.settle();

      expect((await scene.rows()).map(({ revision }) => revision)).toEqual([2]);
      expect(await scene.newOperations(uid)).toBe(1);
      expect(await scene.conditions()).toEqual(before);
    });

    it('SL-05 another repository and another Secret reach Argo CD', async () => {
      const { scene, uid } = await working();
      await scene.newOperations(uid);
      host.repositories.set(`${scene.path}-2`, 'hunter2');
      await scene.makeSecret(undefined, undefined, 'others');

      await scene.change({ repository: `${scene.url}-2`, secret: 'others' });
      await world.settle();

      expect(await scene.rows()).toMatchObject([
        { id: uid, url: `${scene.url}-2`, secret_name: 'others', revision: 2 },
      ]);
      expect(await scene.newOperations(uid)).toBe(1);
    });

    it('SL-05 delete: its rows go, and Argo CD is told', async () => {
      const { scene, uid } = await working();
      await scene.newOperations(uid);

      await scene.drop();
      await world.settle();

      expect(await scene.rows()).toEqual([]);
      expect(await world.sql`select id from repository_credentials where id = ${uid}`).toEqual([]);
      expect(await scene.newOperations(uid)).toBe(1);
      expect(await world.sql`select 1 from wakeup where subject = ${`${scene.key.namespace}/access`}`).toEqual([]);
    });

    it('made again under the same name, it takes nothing over', async () => {
      const { scene, uid: old } = await working();
      await scene.newOperations(old);

      await scene.drop();
      const fresh = await scene.make();
      await world.settle();

      expect((await scene.rows()).map(({ id }) => id)).toEqual([fresh]);
      expect(await world.sql`select id from repository_credentials where id = ${old}`).toEqual([]);
      expect(await scene.newOperations(old)).toBe(1);
      expect(await scene.newOperations(fresh)).toBe(1);
    });

    it('defect 23: the host is asked for the repository as it was written', async () => {
      host.asked.length = 0;
      const { scene } = await working();

      expect(scene.path).toContain('/Repo.git');
      expect(new Set(host.asked)).toEqual(new Set([scene.path]));
    });

    it('two tenants with one repository have a credential each', async () => {
      const [one, other] = [await working(), await working()];
      host.repositories.set(one.scene.path, 'hunter2');

      await other.scene.change({ repository: one.scene.url });
      await world.settle();

      const rows =
        await world.sql`select id, user_id from repository_credentials where url = ${one.scene.url} order by seq_id`;
      expect(rows).toEqual([
        { id: one.uid, user_id: one.scene.namespace.uid },
        { id: other.uid, user_id: other.scene.namespace.uid },
      ]);
    });

    it('SN-03 conditions that somebody took away are said again', async () => {
      const { scene } = await working();
      await world.cluster.patch(
        repositoryCredentials,
        scene.key,
        { status: { conditions: [] } },
        { subresource: 'status' },
      );
      await world.settle();

      expect((await scene.says())['ErrorOccurred']?.[1]).toBe('RepositoryCredentialUpToDate');
    });

    it('a host that takes its word back is noticed within the hour; what Argo CD has stays', async () => {
      const { scene, uid } = await working();
      await scene.newOperations(uid);
      host.repositories.set(scene.path, 'revoked');
      await world.sql`update repository_credentials set validated_at = now() - interval '61 minutes' where id = ${uid}`;

      await world.wake();
      await world.settle();

      expect((await scene.says())['ValidRepositoryCredential']?.[1]).toBe('InvalidCredentials');
      expect((await scene.rows()).map(({ revision }) => revision)).toEqual([1]);
      expect(await scene.newOperations(uid)).toBe(0);
    });

    it('one that still works after the hour is good for another', async () => {
      const { scene, uid } = await working();
      await world.sql`update repository_credentials set validated_at = now() - interval '61 minutes' where id = ${uid}`;

      await world.wake();
      await world.settle();

      const [row] =
        await world.sql`select validated_at > now() - interval '1 minute' as fresh from repository_credentials where id = ${uid}`;
      expect(row).toEqual({ fresh: true });
      expect((await scene.rows()).map(({ revision }) => revision)).toEqual([1]);
    });

    it('an outage of its host takes nothing back', async () => {
      const { scene, uid } = await working();
      const before = await scene.conditions();
      await world.sql`update repository_credentials set validated_at = now() - interval '61 minutes' where id = ${uid}`;

      host.ill = true;
      await world.wake();
      const ran = await world.settle();
      host.ill = false;

      expect(ran).toContainEqual(
        expect.objectContaining({
          subject: `${scene.key.namespace}/access`,
          outcome: { kind: 'stepped', next: 'recheck', effects: 0 },
        }),
      );
      expect(await scene.conditions()).toEqual(before);
    });
  });
}
