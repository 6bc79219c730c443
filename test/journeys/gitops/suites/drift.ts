import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCluster } from '../../../../shared/adapters/kubernetes/open-cluster.ts';
import {
  gitOpsDeployments,
  managedEnvironments,
  repositoryCredentials,
  syncRuns,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import { applicationName } from '../../../../shared/domain/gitops/names.ts';
import { argoNamespace, type GitOpsWorld } from '../../../support/gitops-world.ts';
import { foundAbout, later, runPass, takeKnocks } from './drift-pass.ts';
import { aSpec, makeApplication, makeApplicationRows, makeTenant, makeUnnoticed } from './drift-tenant.ts';

const deploymentSpec = { source: { repoURL: 'https://git.example.test/team/app', path: 'deploy' }, type: 'automated' };

/** What a pass finds, with rows and objects made by hand and nobody to repair them. */
export function describeDrift(open: () => Promise<GitOpsWorld>): void {
  describe('a drift pass', () => {
    let world: GitOpsWorld;

    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());

    it('DR-01 CN-01 finds nothing where resource, rows and Application agree, and writes nothing but its own row', async () => {
      const tenant = await makeTenant(world);
      const { uid } = await makeUnnoticed(world, gitOpsDeployments, {
        metadata: { name: 'web', namespace: tenant.namespace },
        spec: deploymentSpec,
      });
      await makeApplicationRows(world, tenant, { id: uid });
      await makeApplication(world, tenant, uid);
      takeKnocks(world);
      world.connection.asked.length = 0;
      const before = await world.sql`select count(*)::int from operation`;

      const report = await runPass(world, { ahead: later });

      expect(foundAbout(report, tenant.namespace, uid)).toEqual([]);
      expect(world.connection.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
      expect(await world.sql`select count(*)::int from operation`).toEqual(before);
      expect(report.state.parts.deployments.looked).toBeGreaterThan(0);
    });

    it('DR-02 rows whose GitOpsDeployment is gone: its function is told, once, by name', async () => {
      const tenant = await makeTenant(world);
      const id = await makeApplicationRows(world, tenant, { name: 'gone' });
      await makeApplication(world, tenant, id);
      takeKnocks(world);

      const report = await runPass(world);

      expect(foundAbout(report, tenant.namespace)).toEqual([`ResourceGone ${tenant.namespace}/gone`]);
      expect(takeKnocks(world).filter((knock) => knock.includes(tenant.namespace))).toEqual([
        `gitops-deployment.changed.v1 ${tenant.namespace}/gone`,
      ]);
    });

    it('DR-03 rows whose GitOpsDeployment has another UID by now are told of, too', async () => {
      const tenant = await makeTenant(world);
      const id = await makeApplicationRows(world, tenant, { name: 'again' });
      await makeApplication(world, tenant, id);
      await makeUnnoticed(world, gitOpsDeployments, {
        metadata: { name: 'again', namespace: tenant.namespace },
        spec: deploymentSpec,
      });

      const report = await runPass(world);

      expect(foundAbout(report, tenant.namespace)).toEqual([`ResourceGone ${tenant.namespace}/again`]);
    });

    it.each([
      ['DR-05', 'GitOpsDeploymentManagedEnvironment', 'ManagedEnvironment', 'managed-environment.changed.v1'],
      ['DR-09', 'GitOpsDeploymentRepositoryCredential', 'RepositoryCredential', 'repo-credential.changed.v1'],
      ['DR-12', 'GitOpsDeploymentSyncRun', 'SyncOperation', 'sync-run.changed.v1'],
    ])('%s a mapping whose %s is gone', async (_id, kind, relation, type) => {
      const tenant = await makeTenant(world);
      await world.sql`insert into api_cr_to_database_mapping
        values (${kind}, ${randomUUID()}, 'gone', ${tenant.namespace}, ${tenant.uid}, ${relation}, ${randomUUID()})`;
      takeKnocks(world);

      const report = await runPass(world);

      expect(foundAbout(report, tenant.namespace)).toContain(`ResourceGone ${tenant.namespace}/gone`);
      expect(foundAbout(report, tenant.namespace)).toContain(`MappingDangling ${tenant.namespace}/gone`);
      const routed = world.machine.routes.some(({ consumes }) => consumes.includes(type));
      expect(takeKnocks(world).includes(`${type} ${tenant.namespace}/gone`)).toBe(routed);
    });

    it.each([
      [
        'DR-04',
        'GitOpsDeploymentManagedEnvironment',
        managedEnvironments,
        'ManagedEnvironment',
        { apiURL: 'https://a.test', credentialsSecret: 's' },
      ],
      [
        'DR-08',
        'GitOpsDeploymentRepositoryCredential',
        repositoryCredentials,
        'RepositoryCredential',
        { repository: 'https://git.example.test/x', secret: 's' },
      ],
      [
        'DR-11',
        'GitOpsDeploymentSyncRun',
        syncRuns,
        'SyncOperation',
        { gitopsDeploymentName: 'web', revisionID: 'main' },
      ],
    ])('%s a mapping whose %s is there is left in peace', async (_id, type, kind, relation, spec) => {
      const tenant = await makeTenant(world);
      const { uid } = await makeUnnoticed(world, kind, {
        metadata: { name: 'there', namespace: tenant.namespace },
        spec,
      });
      await world.sql`insert into api_cr_to_database_mapping
        values (${type}, ${uid}, 'there', ${tenant.namespace}, ${tenant.uid}, ${relation}, ${uid})`;

      const report = await runPass(world, { ahead: later });

      // Only the row behind the mapping is missing.
      expect(foundAbout(report, tenant.namespace)).toEqual([`MappingDangling ${tenant.namespace}/there`]);
    });

    it('a GitOpsDeployment without rows is told of, unless it is new or its function has said what is wrong with it', async () => {
      const tenant = await makeTenant(world);
      const make = (name: string) =>
        makeUnnoticed(world, gitOpsDeployments, {
          metadata: { name, namespace: tenant.namespace },
          spec: deploymentSpec,
        });
      await make('forgotten');
      await make('refused');
      const conditions = [{ type: 'ErrorOccurred', status: 'True', reason: 'ErrorOccurred', message: 'no' }];
      const cluster = openCluster({ connection: world.bare });
      const key = { namespace: tenant.namespace, name: 'refused' };
      await cluster.patch(gitOpsDeployments, key, { status: { conditions } }, { subresource: 'status' });
      const refused = await cluster.read(gitOpsDeployments, key);
      await world.sql`insert into served (function, subject, version)
        values ('reconcile-gitops-deployment', ${`${tenant.namespace}/refused`}, ${refused?.metadata.resourceVersion ?? ''})`;

      const soon = await runPass(world);
      const afterAnHour = await runPass(world, { ahead: later });

      expect(foundAbout(soon, tenant.namespace)).toEqual([]);
      expect(foundAbout(afterAnHour, tenant.namespace)).toEqual([`ResourceWithoutRows ${tenant.namespace}/forgotten`]);
    });

    it('a change that nobody saw is told of, with its version', async () => {
      const tenant = await makeTenant(world);
      const { uid, resourceVersion } = await makeUnnoticed(world, gitOpsDeployments, {
        metadata: { name: 'web', namespace: tenant.namespace },
        spec: deploymentSpec,
      });
      await makeApplicationRows(world, tenant, { id: uid });
      await makeApplication(world, tenant, uid);
      await world.sql`insert into served (function, subject, version)
        values ('reconcile-gitops-deployment', ${`${tenant.namespace}/web`}, ${String(Number(resourceVersion) - 1)})`;
      world.queue.sent.length = 0;

      const report = await runPass(world);

      expect(foundAbout(report, tenant.namespace)).toEqual([`ChangeUnseen ${tenant.namespace}/web`]);
      expect(
        world.queue.sent.find(({ message }) => message.subject.namespace === tenant.namespace)?.message.subject.version,
      ).toBe(resourceVersion);
    });

    it('CN-02 CN-03 CN-04 Applications that differ, are missing or have no row get an operation that nobody owns', async () => {
      const tenant = await makeTenant(world);
      const made = await Promise.all(
        ['differs', 'missing'].map((name) =>
          makeUnnoticed(world, gitOpsDeployments, {
            metadata: { name, namespace: tenant.namespace },
            spec: deploymentSpec,
          }),
        ),
      );
      const [differs = '', missing = ''] = made.map(({ uid }) => uid);
      const stray = randomUUID();
      await makeApplicationRows(world, tenant, { id: differs, name: 'differs' });
      await makeApplicationRows(world, tenant, { id: missing, name: 'missing' });
      const { source, ...rest } = aSpec(tenant) as { source: object };
      await makeApplication(world, tenant, differs, { ...rest, source: { ...source, path: 'elsewhere' } });
      await makeApplication(world, tenant, stray);

      const report = await runPass(world);

      expect(foundAbout(report, differs, missing, stray)).toEqual([
        `ArgoObjectDiffers ${argoNamespace}/${applicationName(differs)}`,
        `ArgoObjectMissing ${argoNamespace}/${applicationName(missing)}`,
        `ArgoObjectWithoutRow ${argoNamespace}/${applicationName(stray)}`,
      ]);
      const operations = await world.sql`
        select resource_id, state, owner_user_id, instance_id from operation where resource_id in (${differs}, ${missing}, ${stray})`;
      expect(operations).toHaveLength(3);
      expect(operations.every((row) => row['state'] === 'Waiting' && row['owner_user_id'] === null)).toBe(true);
      // An operation is under way about each: the next pass leaves them to it.
      expect(foundAbout(await runPass(world), differs, missing, stray)).toEqual([]);
    });
  });
}
