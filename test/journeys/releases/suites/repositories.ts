import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { applications, argoApplications, components, secrets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { applicationName } from '../../../../shared/domain/gitops/names.ts';
import { argoNamespace } from '../../../support/gitops-world.ts';
import { startInterferingProxy } from '../../../support/interfering-proxy.ts';
import { gitTokens, type ReleaseWorld } from '../../../support/release-world.ts';
import { inFreshScenes, openReleaseScene, type ReleaseScene } from './release-scene.ts';

const image = 'registry.example.com/shop/web:1';
const overlay = 'components/web/overlays/dev';

/** Who may push where, and what becomes of what others have written there. */
export function describeRepositories(open: () => Promise<ReleaseWorld>): void {
  describe('a GitOps repository', () => {
    let world: ReleaseWorld;
    let scene: ReleaseScene;
    inFreshScenes(open, async (fresh) => {
      ({ world } = fresh);
      scene = fresh;
      await scene.component('web', image);
      await scene.environment('dev');
      await scene.snapshot('first', { web: image });
      await scene.settle();
    });

    /** The application of the scene, kept at this address. */
    async function keptAt(url: string, more: object = {}): Promise<string> {
      await scene.application('shop', { gitOpsRepository: { url, ...more } });
      const name = await scene.bind('dev', 'first');
      await scene.settle();
      return name;
    }
    async function later(): Promise<void> {
      // Longer than a refused repository is left alone.
      await world.sql`update binding_overlay set trouble_at = trouble_at - interval '1 hour', trouble_since = trouble_since - interval '1 hour'`;
      await world.wake();
      await scene.settle();
    }

    it('of a tenant is written with what the tenant gave for it', async () => {
      const url = await scene.ownRepository('mine');
      await scene.settle();
      const name = await keptAt(url);

      expect(await scene.says(name, 'Refreshed')).toMatch(/^True/);
      expect(Object.keys(await scene.files(url))).toContain(`${overlay}/kustomization.yaml`);
    });

    it('of a tenant is left alone while nobody gave anything for it, and written as soon as somebody does', async () => {
      const url = await scene.ownRepository('locked', null);
      const name = await keptAt(url);

      expect(await scene.says(name, 'Refreshed')).toBe(
        `False CredentialMissing: No GitOpsDeploymentRepositoryCredential of this namespace is for ${url}: create one whose Secret may push to it`,
      );
      expect(await scene.commits(url)).toEqual([]);
      expect(await scene.deployments()).toEqual([]);

      await scene.credential('late', url, gitTokens.tenant);
      await scene.settle();

      expect(await scene.says(name, 'Refreshed')).toMatch(/^True/);
      expect(await scene.deployments()).toHaveLength(1);
    });

    it('is not written with a credential that may only read, and the condition says what to do', async () => {
      const url = await scene.ownRepository('readable', gitTokens.reader);
      await scene.settle();
      const name = await keptAt(url);

      expect(await scene.says(name, 'Refreshed')).toMatch(/^False PushDenied: /);
      expect(await scene.says(name, 'Refreshed')).not.toContain(gitTokens.reader);
      expect(await scene.commits(url)).toEqual([]);
    });

    it('is written as soon as the credential is mended', async () => {
      const url = await scene.ownRepository('mended', gitTokens.reader);
      await scene.settle();
      const name = await keptAt(url);
      expect(await scene.says(name, 'Refreshed')).toMatch(/^False PushDenied: /);
      const key = { namespace: scene.namespace, name: 'mended' };
      await world.cluster.patch(secrets, key, { stringData: { password: gitTokens.tenant } });
      await scene.settle();

      expect(await scene.says(name, 'Refreshed')).toMatch(/^True/);
      expect(await scene.deployments()).toHaveLength(1);
    });

    it("of another tenant that the service made is not opened with the service's own credential", async () => {
      const other = await openReleaseScene(world);
      await other.application();
      await other.settle();
      const url = await other.repository();
      expect(url).toMatch(/^http/);

      const name = await keptAt(url);
      await later();

      expect(await scene.says(name, 'Refreshed')).toMatch(/^False CredentialMissing: /);
      expect(await scene.commits(url)).toEqual([]);
    });

    it('that does not exist is told, not made', async () => {
      const url = `${world.git.url}/${scene.namespace}/nowhere.git`;
      await scene.credential('nowhere', url, gitTokens.tenant);
      await scene.settle();
      const name = await keptAt(url);

      expect(await scene.says(name, 'Refreshed')).toMatch(/^False (RepositoryNotFound|CredentialMissing): /);
    });

    it('G23 is written below its context and nowhere else', async () => {
      const url = await scene.ownRepository('shared');
      await world.git.commit(url, { 'README.md': 'ours', 'teams/a/README.md': 'theirs' });
      await scene.settle();
      const name = await keptAt(url, { context: '/teams/a/', branch: 'main' });

      expect(await scene.says(name, 'Refreshed')).toMatch(/^True/);
      expect(Object.keys(await scene.files(url)).filter((path) => !path.startsWith('teams/a/components/'))).toEqual([
        'README.md',
        'teams/a/README.md',
      ]);
      expect((await scene.read(name)).status?.components[0]?.gitOpsRepository?.path).toBe(`teams/a/${overlay}`);
    });

    it('G19 may be empty, and may lack the branch', async () => {
      const url = await scene.ownRepository('empty');
      await scene.settle();
      const name = await keptAt(url, { branch: 'releases' });

      expect(await scene.says(name, 'Refreshed')).toMatch(/^True/);
      expect(Object.keys(await world.git.files(url, 'releases'))).toContain(`${overlay}/kustomization.yaml`);
    });

    it('O21 G21 keeps what users push in between: their patches stand behind ours and survive every regeneration', async () => {
      const url = await scene.ownRepository('edited');
      await scene.settle();
      const name = await keptAt(url);
      const kustomization = async () =>
        parse((await scene.files(url))[`${overlay}/kustomization.yaml`] ?? '') as { patches: object[] };
      const { patches, ...rest } = await kustomization();
      const theirs = { path: 'tolerations.yaml' };
      await world.git.commit(url, {
        [`${overlay}/kustomization.yaml`]: stringify({ namePrefix: 'eu-', ...rest, patches: [...patches, theirs] }),
        [`${overlay}/tolerations.yaml`]: 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n',
      });

      for (const configuration of [
        { replicas: 4 },
        { replicas: 5, env: [{ name: 'A', value: '1' }] },
        { replicas: 6, resources: { limits: { cpu: '1' } } },
      ]) {
        await scene.change(name, { components: [{ name: 'web', configuration }] });
        await scene.settle();

        expect(await kustomization()).toMatchObject({
          namePrefix: 'eu-',
          replicas: [{ name: 'web', count: configuration.replicas }],
        });
        expect((await kustomization()).patches).toEqual([...patches, theirs]);
        expect((await scene.files(url))[`${overlay}/tolerations.yaml`]).toContain('name: web');
      }
    });

    it('G17 whose host protects the branch is told of by the condition, and written when it lets us', async () => {
      let isProtected = true;
      const host = await startInterferingProxy(world.git.url, {
        before(request, response) {
          if (!isProtected || request.method !== 'POST' || !request.url?.endsWith('/git-receive-pack')) return false;
          sayProtected(response);
          return true;
        },
        after: () => false,
      });
      try {
        const url = host.url + new URL(await scene.ownRepository('protected', null)).pathname;
        await scene.credential('protected', url, gitTokens.tenant);
        await scene.settle();
        const name = await keptAt(url);

        expect(await scene.says(name, 'Refreshed')).toBe(
          `False BranchProtected: The branch main of ${url} does not take pushes from this credential: allow it to push, or name another branch`,
        );
        expect(await scene.commits(url)).toEqual([]);
        isProtected = false;
        await later();
        expect(await scene.says(name, 'Refreshed')).toMatch(/^True/);
        expect(await scene.commits(url)).toHaveLength(1);
      } finally {
        host.close();
      }
    });

    it('that has a new commit is looked at by Argo CD at once: it is told so', async () => {
      const url = await scene.ownRepository('news');
      await scene.settle();
      const name = await keptAt(url);
      const [deployment] = await scene.deployments();
      const told = async () => {
        const key = { namespace: argoNamespace, name: applicationName(deployment?.metadata.uid ?? '') };
        return (await world.cluster.read(argoApplications, key))?.metadata.annotations['argocd.argoproj.io/refresh'];
      };
      expect(await told()).toBeUndefined();
      await scene.change(name, { components: [{ name: 'web', configuration: { replicas: 2 } }] });
      await scene.settle();

      expect(await scene.commits(url)).toHaveLength(2);
      expect(await told()).toBe('normal');
    });

    it('is never followed through a link: the component says so and nothing is written', async () => {
      const url = await scene.ownRepository('linked');
      await world.git.commit(url, { 'README.md': 'x' });
      const blob = (await world.git.git(url, 'rev-parse', 'main:README.md')).trim();
      await world.git.git(url, 'config', 'user.name', 'x');
      const tree = await treeWith(url, `120000 blob ${blob}\tcomponents`);
      const commit = (
        await world.git.git(
          url,
          '-c',
          'user.name=x',
          '-c',
          'user.email=x@example.com',
          'commit-tree',
          tree,
          '-p',
          'main',
          '-m',
          'A link',
        )
      ).trim();
      await world.git.git(url, 'update-ref', 'refs/heads/main', commit);
      await scene.settle();
      const name = await keptAt(url);

      const [component] = (await scene.read(name)).status?.components ?? [];
      expect(component?.conditions[0]).toMatchObject({ status: 'False', reason: 'PathNotPlain' });
      expect(await scene.commits(url)).toHaveLength(2);
    });

    it('a user’s own base is built upon, and never written', async () => {
      const url = await scene.ownRepository('based');
      await world.git.commit(url, {
        'apps/web/kustomization.yaml': 'resources: [web.yaml]\n',
        'apps/web/web.yaml':
          'apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: shop-web}\nspec:\n  template:\n    spec:\n      containers: [{name: main, image: anything}]\n',
      });
      await world.cluster.patch(
        components,
        { namespace: scene.namespace, name: 'web' },
        { spec: { kustomizeBase: 'apps/web' } },
      );
      await scene.settle();
      const name = await keptAt(url);

      const files = await scene.files(url);
      expect(await scene.says(name, 'Refreshed')).toMatch(/^True/);
      expect(Object.keys(files).filter((path) => path.startsWith('components/web/'))).toEqual([
        `${overlay}/kustomization.yaml`,
        `${overlay}/statefulset-patch.yaml`,
      ]);
      expect(parse(files[`${overlay}/kustomization.yaml`] ?? '')).toMatchObject({
        resources: ['../../../../apps/web'],
      });
    });

    it('whose branch was thrown away is filled again from what was rendered', async () => {
      const url = await scene.ownRepository('wiped');
      await scene.settle();
      const name = await keptAt(url);
      const rendered = await scene.files(url);
      await world.git.git(url, 'update-ref', '-d', 'refs/heads/main');
      await world.sql`update gitops_repository set checked_at = checked_at - interval '7 hours'`;
      await world.schedule('reconcile-drift');
      await scene.settle();

      expect(await scene.files(url)).toEqual(rendered);
      expect((await scene.commits(url))[0]?.message).toContain('Stagecoach-Cause: repair');
      expect(await scene.says(name, 'Refreshed')).toMatch(/^True/);
    });

    it('loses the directory of a Component that is deleted', async () => {
      const url = await scene.ownRepository('less');
      await scene.component('api', image);
      await scene.snapshot('both', { web: image, api: image });
      await scene.settle();
      const name = await keptAt(url);
      await scene.change(name, { snapshot: 'both' });
      await scene.settle();
      expect(Object.keys(await scene.files(url))).toContain('components/api/base/deployment.yaml');

      await world.cluster.remove(components, { namespace: scene.namespace, name: 'api' });
      await scene.settle();

      expect(Object.keys(await scene.files(url)).filter((path) => path.startsWith('components/api/'))).toEqual([]);
      expect(await scene.deployments()).toHaveLength(1);
    });

    it('that the service makes is another one for an Application that comes back under its name', async () => {
      await scene.application();
      await scene.settle();
      const first = await scene.repository();
      await world.cluster.remove(applications, { namespace: scene.namespace, name: 'shop' });
      await scene.settle();
      await scene.application();
      await scene.settle();

      expect(await scene.repository()).not.toBe(first);
    });

    it('what users write into variables is in Git and nowhere in clear in our rows', async () => {
      const url = await scene.ownRepository('secretive');
      await scene.settle();
      await keptAt(url);
      await scene.change('shop-dev-binding', {
        components: [{ name: 'web', configuration: { env: [{ name: 'DB', value: 'hunter2-of-the-database' }] } }],
      });
      await scene.settle();

      expect((await scene.files(url))[`${overlay}/deployment-patch.yaml`]).toContain('hunter2-of-the-database');
      for (const table of ['binding_overlay', 'snapshot_commit', 'step_log', 'ledger', 'knock', 'wakeup']) {
        const [row] = await world.sql.unsafe(`select coalesce(string_agg(t::text, ' '), '') as text from ${table} t`);
        expect(String(row?.['text'])).not.toContain('hunter2');
      }
    });

    /** The tree of the branch with one entry more. */
    async function treeWith(url: string, entry: string): Promise<string> {
      const listed = await world.git.git(url, 'ls-tree', 'main');
      return world.git.makeTree(url, `${listed}${entry}\n`);
    }
  });
}

/** As GitHub does. */
function sayProtected(response: ServerResponse): void {
  const packet = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text;
  const report = `${packet('unpack ok\n')}${packet('ng refs/heads/main protected branch hook declined\n')}0000`;
  response.writeHead(200, { 'content-type': 'application/x-git-receive-pack-result' });
  response.end(
    `${packet('\x02error: Protected branch update failed for refs/heads/main.\n')}${packet(`\x01${report}`)}0000`,
  );
}
