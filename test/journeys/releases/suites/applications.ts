import { writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { applications, components, secrets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { annotations } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import { repositorySecretName } from '../../../../shared/domain/gitops/names.ts';
import { Refused } from '../../../../shared/ports/trouble.ts';
import { argoNamespace } from '../../../support/gitops-world.ts';
import { gitTokens, type ReleaseWorld } from '../../../support/release-world.ts';
import { writtenRows } from '../../../support/written-rows.ts';
import { inFreshScenes, openReleaseScene, type ReleaseScene } from './release-scene.ts';

const ok = 'True OK Application has been successfully created';

/** Where Applications are kept, and who may open it. */
export function describeApplications(open: () => Promise<ReleaseWorld>): void {
  describe('an Application', () => {
    let world: ReleaseWorld;
    let scene: ReleaseScene;
    let namespace: string;
    inFreshScenes(open, (fresh) => {
      ({ world, namespace } = fresh);
      scene = fresh;
    });
    afterEach(() => giveToken(gitTokens.service));

    const giveToken = (text: string) => writeFile(world.git.settings.GIT_TOKEN_FILE, text);
    const has = (url: string) => world.git.git(url, 'rev-parse', '--is-bare-repository').then(Boolean, () => false);
    const look = async (name = 'shop') => {
      world.knock('application.changed.v1', { namespace, name });
      return scene.settle();
    };

    async function read(name = 'shop') {
      const found = await world.cluster.read(applications, { namespace, name });
      if (found === undefined) throw new Error(`there is no Application ${name}`);
      return found;
    }
    async function says(name = 'shop'): Promise<string | undefined> {
      const created = (await read(name)).status?.conditions.find(({ type }) => type === 'Created');
      return created && `${created.status} ${created.reason} ${created.message}`;
    }
    async function rows() {
      const { sql } = world;
      return sql`select a.id, a.name, a.context, r.url, r.branch, r.made from application_place a
        left join gitops_repository r on r.id = a.repository_id where a.namespace = ${namespace} order by a.name`;
    }
    /** What was stored for Argo CD to open repositories of this tenant with. */
    async function credentials() {
      const { sql } = world;
      return sql`select m.api_resource_type as type, c.id, c.url from repository_credentials c
        join api_cr_to_database_mapping m on m.db_relation_key = c.id where m.api_resource_namespace = ${namespace}`;
    }
    /** What Argo CD was given for the Application, as far as a test may see it. */
    async function given(uid: string): Promise<Readonly<Record<string, string>> | undefined> {
      const name = repositorySecretName(uid);
      const secret = await world.cluster.read(secrets, { namespace: argoNamespace, name });
      return secret && Object.fromEntries(Object.entries(secret.data).map(([key, value]) => [key, atob(value)]));
    }

    it('L01 without a repository gets one of its own, and Argo CD what opens it', async () => {
      await scene.application();
      await scene.settle();

      const { metadata, status } = await read();
      const url = `${world.git.url}/${namespace}/shop-${metadata.uid.slice(0, 8)}.git`;
      expect(await says()).toBe(ok);
      expect(status?.gitops).toEqual({ repositoryURL: url, branch: 'main', context: '' });
      expect(await has(url)).toBe(true);
      expect(await rows()).toEqual([{ id: metadata.uid, name: 'shop', context: '', url, branch: 'main', made: true }]);
      expect(await credentials()).toEqual([{ type: 'Application', id: metadata.uid, url }]);
      expect(await given(metadata.uid)).toMatchObject({ url, username: 'stagecoach', password: gitTokens.service });
    });

    it('is kept where its user wrote, and nobody gives the credential of the service away', async () => {
      const url = 'https://git.example/team/shop.git';
      await scene.application('shop', { gitOpsRepository: { url, branch: 'live', context: './gitops/' } });
      await scene.settle();

      const { metadata, status } = await read();
      expect(await says()).toBe(ok);
      expect(status?.gitops).toEqual({ repositoryURL: url, branch: 'live', context: 'gitops' });
      expect(await rows()).toMatchObject([{ url, branch: 'live', context: 'gitops', made: false }]);
      expect(await credentials()).toEqual([]);
      expect(await given(metadata.uid)).toBeUndefined();
    });

    it('that names the repository which the service made for another tenant does not get what opens it', async () => {
      const other = await openReleaseScene(world);
      await other.application();
      await other.settle();
      const url = await other.repository();
      await scene.application('shop', { gitOpsRepository: { url } });
      await scene.settle();

      expect(await rows()).toMatchObject([{ url, made: false }]);
      expect(await credentials()).toEqual([]);
      expect(await given((await read()).metadata.uid)).toBeUndefined();
    });

    it.each([
      [{ url: 'http://git.example/a/b' }, 'spec.gitOpsRepository.url must begin with ssh:// or https://'],
      [{ url: 'https://git.example/a/b', branch: '-x' }, 'spec.gitOpsRepository.branch must not begin with a dash'],
      [
        { url: '', context: 'a/../..' },
        'spec.gitOpsRepository.context must be a path from the root of the repository, without ".." and ".git"',
      ],
    ])('says what to change about %j, and stores no place', async (gitOpsRepository, message) => {
      await scene.application('shop', { gitOpsRepository });
      await scene.settle();

      expect(await says()).toBe(`False Error ${message}`);
      expect((await read()).status?.gitops).toBeUndefined();
      expect(await rows()).toMatchObject([{ url: null, context: '' }]);
      expect(await credentials()).toEqual([]);
    });

    it('that says what to change is well as soon as that is changed', async () => {
      await scene.application('shop', { gitOpsRepository: { branch: 'a..b' } });
      await scene.settle();
      expect(await says()).toMatch(/^False Error spec\.gitOpsRepository\.branch /);
      await world.cluster.patch(
        applications,
        { namespace, name: 'shop' },
        { spec: { gitOpsRepository: { branch: 'b' } } },
      );
      await scene.settle();

      expect(await says()).toBe(ok);
      expect(await rows()).toMatchObject([{ branch: 'b', made: true }]);
    });

    it('that somebody else renders for is well, and has no place with us', async () => {
      await scene.application('shop', { gitOpsRepository: { renderedBy: 'External' } });
      await scene.settle();

      expect(await says()).toBe(ok);
      expect((await read()).status?.gitops).toBeUndefined();
      expect(await rows()).toMatchObject([{ url: null }]);
      expect(await credentials()).toEqual([]);
    });

    it('that somebody else renders for from now on leaves its place and what opened it', async () => {
      await scene.application();
      await scene.settle();
      const { metadata } = await read();
      await world.cluster.patch(
        applications,
        { namespace, name: 'shop' },
        { spec: { gitOpsRepository: { renderedBy: 'External' } } },
      );
      await scene.settle();

      expect((await read()).status?.gitops).toBeUndefined();
      expect(await rows()).toMatchObject([{ id: metadata.uid, url: null }]);
      expect(await credentials()).toEqual([]);
      expect(await given(metadata.uid)).toBeUndefined();
    });

    it('L03 L11 says that the host makes no repository, says it once, and goes on when the host does', async () => {
      await giveToken(gitTokens.reader);
      await scene.application();
      await scene.settle();
      expect(await says()).toBe(
        'False Error The host of repositories does not let this service make one: an operator must check GIT_USERNAME and the token in GIT_TOKEN_FILE',
      );
      expect(await rows()).toMatchObject([{ url: null }]);
      world.connection.asked.length = 0;
      await world.wake();
      await scene.settle();
      expect(world.connection.asked.filter(({ method }) => method !== 'GET')).toEqual([]);

      await giveToken(gitTokens.service);
      await world.wake();
      await scene.settle();
      expect(await says()).toBe(ok);
      expect(await rows()).toMatchObject([{ made: true }]);
    });

    it('has Argo CD follow the token of the service', async () => {
      await scene.application();
      await scene.settle();
      const { metadata } = await read();
      await giveToken(gitTokens.tenant);
      await look();

      expect(await given(metadata.uid)).toMatchObject({ password: gitTokens.tenant });
    });

    it('L13 keeps an address that was once given; one that was made may be exchanged for one that is given', async () => {
      await scene.application();
      await scene.settle();
      const { metadata } = await read();
      const write = (gitOpsRepository: object) =>
        world.cluster.patch(applications, { namespace, name: 'shop' }, { spec: { gitOpsRepository } });
      await write({ url: 'https://git.example/team/shop' });
      await scene.settle();

      expect((await read()).status?.gitops?.repositoryURL).toBe('https://git.example/team/shop');
      expect(await rows()).toMatchObject([{ made: false }]);
      expect(await credentials()).toEqual([]);
      expect(await given(metadata.uid)).toBeUndefined();
      for (const change of [{ url: 'https://git.example/team/bank' }, { branch: 'x' }, { context: 'x' }])
        await expect(write(change)).rejects.toBeInstanceOf(Refused);
      await write({ renderedBy: 'External' });
    });

    it('that is gone leaves nothing of what opened its repository', async () => {
      await scene.application();
      await scene.settle();
      const { metadata } = await read();
      await world.cluster.remove(applications, { namespace, name: 'shop' });
      await scene.settle();

      expect(await rows()).toEqual([]);
      expect(await credentials()).toEqual([]);
      expect(await given(metadata.uid)).toBeUndefined();
    });

    it('that is made again under the same name is another one, with another repository', async () => {
      await scene.application();
      await scene.settle();
      const first = await scene.repository();
      await world.cluster.remove(applications, { namespace, name: 'shop' });
      await scene.application();
      await scene.settle();

      const second = await scene.repository();
      expect(second).not.toBe(first);
      expect(await has(second)).toBe(true);
      expect(await rows()).toMatchObject([{ url: second }]);
      expect(await credentials()).toMatchObject([{ url: second }]);
    });

    it('is looked at when its user asks for it, and says again what somebody wrote over', async () => {
      await scene.application();
      await scene.settle();
      const url = await scene.repository();
      const key = { namespace, name: 'shop' };
      await world.cluster.patch(
        applications,
        key,
        { status: { gitops: { repositoryURL: 'x' } } },
        { subresource: 'status' },
      );
      await world.cluster.patch(applications, key, {
        metadata: { annotations: { [annotations.reconcileAt.key]: '1' } },
      });
      await scene.settle();

      expect(await scene.repository()).toBe(url);
    });

    it('wakes its Components when its place is another', async () => {
      await scene.application();
      await scene.component('web', 'quay.io/shop/web:1');
      await scene.settle();
      const component = () => world.cluster.read(components, { namespace, name: 'web' });
      expect((await component())?.status?.gitops?.repositoryURL).toBe(await scene.repository());
      await world.cluster.patch(
        applications,
        { namespace, name: 'shop' },
        { spec: { gitOpsRepository: { url: 'https://git.example/team/shop', context: 'x' } } },
      );
      await scene.settle();

      expect((await component())?.status?.gitops).toMatchObject({
        repositoryURL: 'https://git.example/team/shop',
        branch: 'main',
        context: 'x',
      });
    });

    it('writes nothing at a second look, wherever it is kept', async () => {
      await scene.application();
      await scene.application('given', { gitOpsRepository: { url: 'https://git.example/a/b' } });
      await scene.application('external', { gitOpsRepository: { renderedBy: 'External' } });
      await scene.application('wrong', { gitOpsRepository: { branch: '-' } });
      await scene.settle();
      const before = await writtenRows(world.sql);
      world.connection.asked.length = 0;

      for (const name of ['shop', 'given', 'external', 'wrong', 'nobody'])
        expect((await look(name)).filter((ran) => ran.function === 'reconcile-application')).toMatchObject([
          { outcome: { kind: 'stepped', effects: 0 } },
        ]);
      expect(world.connection.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
      expect(await writtenRows(world.sql)).toEqual(before);
    });
  });
}
