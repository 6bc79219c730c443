import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gitOpsDeployments } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { repositoryUrlProblem } from '../../../../shared/domain/gitops/repository-url.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { aSpec, type DeploymentSteps, openDeploymentSteps } from './deployment-steps.ts';

const emptyPath = 'spec.source.path is a required field and it cannot be empty';
const unknownOption =
  'the specified sync option in .spec.syncPolicy.syncOptions is either mispelled or is not supported by GitOpsDeployment';

/** What a user reads who asked for something that cannot be. */
export function describeDeploymentsConditions(open: () => Promise<GitOpsWorld>): void {
  describe('the condition of a GitOpsDeployment', () => {
    let world: GitOpsWorld;
    let steps: DeploymentSteps;
    beforeAll(async () => {
      world = await open();
      steps = openDeploymentSteps(world);
    });
    afterAll(() => world.close());

    const said = (message: string) => [{ type: 'ErrorOccurred', status: 'True', reason: 'ErrorOccurred', message }];
    const resolved = [{ type: 'ErrorOccurred', status: 'False', reason: 'ErrorOccurredResolved', message: '' }];

    it('RT-03 errors of the path are set and resolved again and again', async () => {
      const team = await world.namespace();
      await steps.create(team.name, 'shop', { source: { ...aSpec.source, path: '' } });
      const story = [await steps.conditions(team.name, 'shop')];

      for (const path of ['deploy', '/', 'deploy']) {
        await steps.change(team.name, 'shop', { spec: { source: { path } } });
        story.push(await steps.conditions(team.name, 'shop'));
      }

      expect(story).toEqual([said(emptyPath), resolved, said("spec.source.path cannot be '/'"), resolved]);
    });

    it('RT-09 nothing was ever wrong: no condition, and no write of a status', async () => {
      const team = await world.namespace();
      world.connection.asked.length = 0;

      await steps.create(team.name, 'shop');

      expect(await steps.conditions(team.name, 'shop')).toEqual([]);
      expect(world.connection.asked.filter(({ method }) => method === 'PATCH')).toEqual([]);
    });

    it.each([
      ['an unknown type', { type: 'sometimes' }, 'spec type must be manual or automated'],
      ['RD-04 an unknown sync option', { syncPolicy: { syncOptions: ['CreateNamespace=foo'] } }, unknownOption],
      [
        'a namespace of somebody else',
        { destination: { namespace: 'kube-system' } },
        'the environment field should not be empty when the namespace is non-empty',
      ],
      [
        'an environment without a namespace',
        { destination: { environment: 'staging' } },
        'the namespace specified in the destination field is invalid',
      ],
      [
        'an environment that can never be',
        { destination: { environment: 'stag\u0000ing', namespace: 'shop' } },
        'Unable to reconcile the ManagedEnvironment. Verify that the ManagedEnvironment and Secret are correctly defined, and have valid credentials',
      ],
      [
        'a repository that is a pattern',
        { source: { ...aSpec.source, repoURL: 'https://example.com/*' } },
        `spec.source.repoURL is invalid: ${repositoryUrlProblem('https://example.com/*')}`,
      ],
      [
        'an address with more than a row holds',
        { source: { ...aSpec.source, repoURL: `https://example.com/${'a'.repeat(600)}` } },
        'spec.source.repoURL is invalid: repository must not be longer than 512 bytes',
      ],
      [
        'a spec with more than a row holds',
        { source: { ...aSpec.source, path: 'd/'.repeat(40_000) } },
        'the GitOpsDeployment must not be larger than 65536 bytes',
      ],
    ])('%s: the user reads why, nothing is stored, and nobody tries again', async (_what, spec, message) => {
      const team = await world.namespace();

      await steps.create(team.name, 'shop', spec);

      expect(await steps.conditions(team.name, 'shop')).toEqual(said(message));
      expect(await steps.mappings(team.name, 'shop')).toEqual([]);
      expect(await world.sql`select from cluster_user where id = ${team.uid}`).toHaveLength(0);
      expect(await world.sql`select from wakeup where subject = ${`${team.name}/shop`}`).toHaveLength(0);
    });

    it('a password in the address is refused, and is nowhere to be found afterwards', async () => {
      const team = await world.namespace();
      const repoURL = 'https://jo:hunter2@example.com/team/shop';
      await steps.create(team.name, 'shop', { source: { ...aSpec.source, repoURL } });

      const tables = ['step_log', 'ledger', 'application', 'knock', 'wakeup', 'operation'];
      const rows = await Promise.all(tables.map((table) => world.sql.unsafe(`select t::text from ${table} t`)));

      expect(await steps.conditions(team.name, 'shop')).toMatchObject([{ status: 'True' }]);
      expect(JSON.stringify([await steps.conditions(team.name, 'shop'), rows])).not.toContain('hunter2');
    });

    it('RD-04 sync options are stored, cleared, stored again, and a wrong one leaves what works as it is', async () => {
      const team = await world.namespace();
      const { metadata } = await steps.create(team.name, 'shop', { type: 'manual' });
      const policies: unknown[] = [];

      for (const syncOptions of [['CreateNamespace=true'], [], ['CreateNamespace=true'], ['CreateNamespace=foo']]) {
        await steps.change(team.name, 'shop', { spec: { syncPolicy: { syncOptions } } });
        const row = await steps.application(metadata.uid);
        policies.push((JSON.parse(row?.spec_field ?? '{}') as { syncPolicy?: unknown }).syncPolicy);
      }

      const stored = { syncOptions: ['CreateNamespace=true'] };
      expect(policies).toEqual([stored, undefined, stored, stored]);
      expect(await steps.conditions(team.name, 'shop')).toEqual(said(unknownOption));
    });

    it('the own namespace may be named, as the design’s example does, in its other spellings too', async () => {
      const team = await world.namespace();

      const { metadata } = await steps.create(team.name, 'shop', {
        source: { repository: 'https://example.com/team/shop', path: '/sub/path', revision: 'main' },
        destination: { namespace: team.name },
        type: 'manual',
      });

      const row = await steps.application(metadata.uid);
      expect(JSON.parse(row?.spec_field ?? '{}')).toEqual({
        source: { repoURL: 'https://example.com/team/shop', path: 'sub/path', targetRevision: 'main' },
        destination: { name: 'in-cluster', namespace: team.name },
        project: `app-project-${team.uid}`,
      });
    });

    it('defect 37: a failed operation is told, and resolved when the next one is on its way', async () => {
      const team = await world.namespace();
      const { metadata } = await steps.create(team.name, 'shop');

      await steps.endOperations(team.name, 'shop', metadata.uid, 'Failed', 'Argo CD refused the Application');
      const failed = await steps.conditions(team.name, 'shop');
      await steps.change(team.name, 'shop', { spec: { type: 'manual' } });
      const changed = await steps.conditions(team.name, 'shop');
      await steps.endOperations(team.name, 'shop', metadata.uid, 'Completed');

      expect(failed).toEqual(said('Argo CD refused the Application'));
      expect(changed).toEqual(resolved);
      expect(await steps.conditions(team.name, 'shop')).toEqual(resolved);
    });

    it('defect 11: what others say in the conditions stays, and their status too', async () => {
      const team = await world.namespace();
      await steps.create(team.name, 'shop');
      const of = { type: 'ComparisonError', status: 'True', reason: 'ComparisonError', message: 'Git is away' };
      const key = { namespace: team.name, name: 'shop' };
      await steps.unnoticed.patch(
        gitOpsDeployments,
        key,
        { status: { conditions: [of], health: { status: 'Healthy' } } },
        { subresource: 'status' },
      );

      await steps.change(team.name, 'shop', { spec: { source: { path: '' } } });

      expect(await steps.conditions(team.name, 'shop')).toEqual([of, ...said(emptyPath)]);
      expect((await steps.read(team.name, 'shop'))?.status?.health?.status).toBe('Healthy');
    });

    it('a fault that is told already is not written again', async () => {
      const team = await world.namespace();
      await steps.create(team.name, 'shop', { source: { ...aSpec.source, path: '' } });
      const first = await steps.read(team.name, 'shop');

      await steps.look(team.name, 'shop');
      const second = await steps.read(team.name, 'shop');

      expect(second?.metadata.resourceVersion).toBe(first?.metadata.resourceVersion);
      expect(second?.status?.conditions[0]?.lastTransitionTime).toBeDefined();
    });
  });
}
