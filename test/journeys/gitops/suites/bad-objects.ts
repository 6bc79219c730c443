import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  argoApplications,
  gitOpsDeployments,
  namespaces,
  operations,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import { applicationName } from '../../../../shared/domain/gitops/names.ts';
import { argoNamespace, type GitOpsWorld } from '../../../support/gitops-world.ts';
import { finishDeletions } from '../../../support/play-argo-cd.ts';
import { goodSource, unreadable as nonsense, openBadInput } from './bad-input-scene.ts';
import { openCredentialScene } from './credential-scene.ts';
import { later, runPass } from './drift-pass.ts';
import { type PlayedGitHost, startPlayedGitHost } from './played-git-host.ts';

const longest = 's'.repeat(253);

/** What a user may write into a credential, and the reason that they read then. */
export const badCredentials: Readonly<
  Record<string, { readonly spec?: object; readonly secret?: object; readonly reason: string }>
> = {
  'a malformed repository': { spec: { repository: 'git.example/team' }, reason: 'InvalidRepositoryUrl' },
  'a repository that is a pattern': { spec: { repository: 'https://git.example/*' }, reason: 'InvalidRepositoryUrl' },
  'nonsense as repository': { spec: { repository: `https://git.example/${nonsense}` }, reason: 'InvalidRepositoryUrl' },
  'three hundred kilobytes of repository': {
    spec: { repository: `https://x/${'y'.repeat(300_000)}` },
    reason: 'InvalidRepositoryUrl',
  },
  'a repository that nobody can reach': {
    spec: { repository: 'https://127.0.0.1:1/team/shop' },
    reason: 'ErrorOccurred',
  },
  'nonsense as Secret': { spec: { secret: nonsense }, reason: 'SecretNotFound' },
  'a Secret whose name is a way out': { spec: { secret: '..' }, reason: 'SecretNotFound' },
  'a Secret whose name is a question': { spec: { secret: 'creds?watch=true' }, reason: 'SecretNotFound' },
  'a Secret of the longest of names that is not there': { spec: { secret: longest }, reason: 'SecretNotFound' },
  'nonsense as password': { secret: { username: nonsense, password: nonsense }, reason: 'InvalidCredentials' },
  'a password of six hundred kilobytes': {
    secret: { username: 'me', password: 'x'.repeat(600_000) },
    reason: 'InvalidCredentials',
  },
  'a key that is none': { secret: { sshPrivateKey: 'garbage' }, reason: 'InvalidCredentials' },
};

export function describeBadObjects(opened: () => GitOpsWorld): void {
  let world: GitOpsWorld;
  beforeAll(() => {
    world = opened();
  });

  describe('in a repository credential', () => {
    let host: PlayedGitHost;
    beforeAll(async () => {
      host = await startPlayedGitHost();
    });
    afterAll(() => host.stop());

    it.each(Object.entries(badCredentials))(
      '%s: the user reads why, nothing is stored, and good values heal it',
      async (_what, { spec = {}, secret, reason }) => {
        const scene = await openCredentialScene(world, host);
        await scene.makeSecret(secret as Record<string, string> | undefined);
        const id = await scene.make(spec);
        await world.settle();

        expect((await scene.says())['ErrorOccurred']?.slice(0, 2)).toEqual(['True', reason]);
        expect(await scene.rows()).toEqual([]);
        expect(await world.sql`select from operation where resource_id = ${id}`).toHaveLength(0);

        await scene.dropSecret();
        await scene.makeSecret();
        await scene.change({ repository: scene.url, secret: 'creds' });
        await world.settle();
        expect((await scene.says())['ErrorOccurred']?.[1]).toBe('RepositoryCredentialUpToDate');
        expect(await scene.rows()).toHaveLength(1);
      },
    );

    it('the longest of names for the Secret is stored as any other', async () => {
      const scene = await openCredentialScene(world, host);
      await scene.makeSecret(undefined, undefined, longest);
      await scene.make({ secret: longest });
      await world.settle();

      expect((await scene.rows()).map((row) => row.secret_name)).toEqual([longest]);
    });
  });

  describe('in a sync run', () => {
    const missing = (name: string) =>
      `Unable to retrieve GitOpsDeployment '${name}' referenced by the GitOpsDeploymentSyncRun`;

    it.each([
      ['nonsense as deployment', { gitopsDeploymentName: nonsense }, missing(nonsense)],
      ['a deployment whose name is a way out', { gitopsDeploymentName: '..' }, missing('..')],
      ['no deployment', { gitopsDeploymentName: '' }, missing('')],
      [
        'nonsense as revision',
        { gitopsDeploymentName: 'web', revisionID: nonsense },
        'the revision must not contain control characters',
      ],
      [
        'a revision that no row can hold',
        { gitopsDeploymentName: 'web', revisionID: '\u65e5'.repeat(300) },
        'the revision is too long: value exceeds maximum size: max: 256, actual: 900',
      ],
    ])('%s: the user reads why, and nothing is stored', async (_what, spec, message) => {
      const scene = await openBadInput(world);
      const id = await scene.deploy({ type: 'manual' });
      await world.settle();
      await scene.syncRun(spec);
      await world.settle();

      expect(await scene.syncRunSays()).toEqual([{ status: 'True', message }]);
      expect(await world.sql`select from sync_operation where application_id = ${id}`).toHaveLength(0);
      expect((await scene.application(id))?.operation).toBeUndefined();
    });
  });

  describe('that a tenant or somebody else puts where it does not belong', () => {
    it.each([
      ['a key that no row has', () => randomUUID()],
      ['nonsense', () => nonsense],
      ['a key of three thousand letters', () => 'k'.repeat(3_000)],
    ])(
      'an Operation of a tenant with %s changes nothing, and does not keep the clean-up from its work',
      async (_what, key) => {
        const scene = await openBadInput(world);
        const made = { metadata: { namespace: scene.namespace.name, name: 'mine' }, spec: { operationID: key() } };
        await world.cluster.create(operations, made);
        world.connection.asked.splice(0);

        await world.settle();
        await runPass(world, { ahead: later });
        await world.settle();
        await world.schedule('collect-garbage');

        expect(world.connection.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
        await scene.expectNoTenant();
      },
    );

    it('an Operation of a tenant with the key of another tenant’s changes nothing of theirs', async () => {
      const [victim, thief] = [await openBadInput(world), await openBadInput(world)];
      const id = await victim.deploy();
      await world.settle();
      const rows = () => world.sql`select xmin::text, * from operation where resource_id = ${id}`;
      const [before, application] = [await rows(), await victim.application(id)];

      const operationID = before[0]?.['id'] as string;
      await world.cluster.create(operations, {
        metadata: { namespace: thief.namespace.name, name: 'theirs' },
        spec: { operationID },
      });
      await world.settle();

      expect(await rows()).toEqual(before);
      expect((await victim.application(id))?.metadata.resourceVersion).toBe(application?.metadata.resourceVersion);
      await thief.expectNoTenant();
    });

    it('an Application with the id of another’s in its label tells that other nothing, and stays as it is', async () => {
      const victim = await openBadInput(world);
      const id = await victim.deploy();
      await world.settle();
      const made = await makeApplication(applicationName(randomUUID()), id);

      await world.cluster.patch(argoApplications, made, { status: { health: { status: 'Degraded' } } });
      await world.settle();
      await runPass(world, { ahead: later });
      await world.settle();

      const deployment = await world.cluster.read(gitOpsDeployments, { namespace: victim.namespace.name, name: 'web' });
      expect(deployment?.status?.health).toBeUndefined();
      expect((await world.cluster.read(argoApplications, made))?.spec.project).toBe('default');
    });

    it('an Application by a name and a label of ours that no row knows is taken away by the drift pass, and makes no rows', async () => {
      const id = randomUUID();
      const made = await makeApplication(applicationName(id), id);

      await world.cluster.patch(argoApplications, made, { status: { health: { status: 'Healthy' } } });
      await world.settle();
      const settled = await world.cluster.read(argoApplications, made);
      await runPass(world, { ahead: later });
      await world.settle();
      await finishDeletions(world);

      // At once nobody dares: a database that was restored would have forgotten it, too.
      expect(settled).toBeDefined();
      expect(await world.cluster.read(argoApplications, made)).toBeUndefined();
      expect(await world.sql`select from application where id = ${id}`).toHaveLength(0);
    });

    it('a deployment in the namespace of Argo CD is refused: it would rule over that Argo CD', async () => {
      const key = { namespace: argoNamespace, name: 'web' };
      const spec = { source: goodSource, type: 'manual' };
      const { metadata } = await world.cluster.create(gitOpsDeployments, { metadata: key, spec });
      await world.settle();

      const { status } = (await world.cluster.read(gitOpsDeployments, key)) ?? {};
      expect(status?.conditions).toMatchObject([
        {
          type: 'ErrorOccurred',
          message: expect.stringContaining('nothing is deployed from the namespace of an Argo CD'),
        },
      ]);
      const application = { namespace: argoNamespace, name: applicationName(metadata.uid) };
      expect(await world.cluster.read(argoApplications, application)).toBeUndefined();
      await world.cluster.remove(gitOpsDeployments, key);
      await world.settle();
    });

    it('a namespace that others take for that of an Argo CD is one like any other', async () => {
      const name = 'gitops-service-argocd';
      await world.cluster.create(namespaces, { metadata: { name } });
      const spec = { source: goodSource, type: 'automated' };
      const { metadata } = await world.cluster.create(gitOpsDeployments, {
        metadata: { namespace: name, name: 'web' },
        spec,
      });
      await world.settle();

      const found = { name: applicationName(metadata.uid) };
      expect(await world.cluster.read(argoApplications, { ...found, namespace: name })).toBeUndefined();
      expect(await world.cluster.read(argoApplications, { ...found, namespace: argoNamespace })).toBeDefined();
    });

    /** Somebody's own, beside ours. */
    async function makeApplication(name: string, label: string): Promise<{ namespace: string; name: string }> {
      await world.cluster.create(argoApplications, {
        metadata: { namespace: argoNamespace, name, labels: { databaseID: label } },
        spec: { project: 'default', source: goodSource, destination: { name: 'in-cluster', namespace: 'kube-system' } },
      });
      return { namespace: argoNamespace, name };
    }
  });
}
