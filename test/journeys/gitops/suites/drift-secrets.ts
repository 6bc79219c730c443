import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secrets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { argoNamespace, type GitOpsWorld } from '../../../support/gitops-world.ts';
import { foundAbout, later, runPass } from './drift-pass.ts';
import { makeTenant, makeUnnoticed } from './drift-tenant.ts';

/** Secrets beside an Argo CD, with rows and objects made by hand and nobody to repair them. */
export function describeDriftSecrets(open: () => Promise<GitOpsWorld>): void {
  describe('a drift pass over Secrets', () => {
    let world: GitOpsWorld;

    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());

    it('CN-07 CN-09 Secrets of ours without a row are told of; CN-10 CN-11 CN-12 others are not', async () => {
      await makeTenant(world);
      const [cluster, repository, other] = [randomUUID(), randomUUID(), randomUUID()];
      const make = (name: string, labels: Record<string, string>) =>
        makeUnnoticed(world, secrets, { metadata: { name, namespace: argoNamespace, labels } });
      await make(`managed-env-${cluster}`, { databaseID: cluster, 'argocd.argoproj.io/secret-type': 'cluster' });
      await make(`repo-cred-${repository}`, { databaseID: repository, 'argocd.argoproj.io/secret-type': 'repository' });
      await make(`managed-env-${other}`, {});
      await make(`repo-cred-${other}`, { databaseID: other });
      await make(`a-${other}`, { 'argocd.argoproj.io/secret-type': 'cluster' });

      const report = await runPass(world);

      expect(foundAbout(report, cluster, repository, other)).toEqual([
        `ArgoObjectWithoutRow ${argoNamespace}/managed-env-${cluster}`,
        `ArgoObjectWithoutRow ${argoNamespace}/repo-cred-${repository}`,
      ]);
    });

    it('CN-06 CN-08 CN-21 CN-23 Secrets with a row are kept, and nobody misses one for a cluster of Argo CD itself', async () => {
      const tenant = await makeTenant(world);
      const [environment, credential] = [randomUUID(), randomUUID()];
      const url = 'https://git.example.test/private';
      await world.sql`insert into cluster_credentials (id, host) values (${environment}, 'https://cluster.example.test')`;
      await world.sql`insert into managed_environment (id, name, cluster_credentials_id) values (${environment}, 'staging', ${environment})`;
      await world.sql`insert into cluster_access (user_id, managed_environment_id, gitops_engine_instance_id)
        values (${tenant.uid}, ${environment}, ${tenant.instanceId})`;
      await world.sql`insert into repository_credentials (id, user_id, url, secret_name, engine_instance_id)
        values (${credential}, ${tenant.uid}, ${url}, 'mine', ${tenant.instanceId})`;
      const make = (name: string, id: string, type: string, values: Record<string, string>) =>
        makeUnnoticed(world, secrets, {
          metadata: {
            name,
            namespace: argoNamespace,
            labels: { databaseID: id, 'argocd.argoproj.io/secret-type': type },
            ...(type === 'repository' && { annotations: { 'managed-by': 'argocd.argoproj.io' } }),
          },
          data: Object.fromEntries(Object.entries(values).map(([key, text]) => [key, btoa(text)])),
        });
      await make(`managed-env-${environment}`, environment, 'cluster', {
        name: `managed-env-${environment}`,
        server: `https://cluster.example.test?managedEnvironment=${environment}`,
        config: JSON.stringify({ bearerToken: '', tlsClientConfig: { insecure: false } }),
      });
      const project = `app-project-${tenant.uid}`;
      await make(`repo-cred-${credential}`, credential, 'repository', { name: 'mine', url, project });

      const report = await runPass(world, { ahead: later });

      // The environment of the tenant's own namespace has the tenant's UID, and a placeholder for credentials.
      const names = [environment, credential, tenant.uid].flatMap((id) => [`managed-env-${id}`, `repo-cred-${id}`]);
      expect(foundAbout(report, ...names)).toEqual([]);
      const wanted = [environment, credential, tenant.uid];
      expect(
        await world.sql`select from operation where resource_id in ${world.sql(wanted)}
          and resource_type in ('Application', 'RepositoryCredentials')`,
      ).toHaveLength(0);
      expect(report.state.parts['cluster-secrets'].looked).toBeGreaterThan(0);
    });

    it('CN-15 CN-24 CN-25 a repository Secret is missed after half an hour, and what it holds is compared', async () => {
      const tenant = await makeTenant(world);
      const id = randomUUID();
      const url = 'https://git.example.test/private';
      await world.sql`insert into repository_credentials (id, user_id, url, secret_name, engine_instance_id)
        values (${id}, ${tenant.uid}, ${url}, 'mine', ${tenant.instanceId})`;
      const finish = () => world.sql`update operation set state = 'Completed' where resource_id = ${id}`;

      expect(foundAbout(await runPass(world), id)).toEqual([]);
      expect(foundAbout(await runPass(world, { ahead: later }), id)).toEqual([
        `ArgoObjectMissing ${argoNamespace}/repo-cred-${id}`,
      ]);
      await finish();
      const values = { name: 'mine', url, project: `app-project-${tenant.uid}` };
      await makeUnnoticed(world, secrets, {
        metadata: {
          name: `repo-cred-${id}`,
          namespace: argoNamespace,
          labels: { databaseID: id, 'argocd.argoproj.io/secret-type': 'repository' },
          annotations: { 'managed-by': 'argocd.argoproj.io' },
        },
        data: Object.fromEntries(Object.entries(values).map(([key, text]) => [key, btoa(text)])),
      });
      expect(foundAbout(await runPass(world, { ahead: later }), id)).toEqual([]);

      await world.sql`update repository_credentials set url = 'https://git.example.test/other' where id = ${id}`;

      const report = await runPass(world);
      expect(foundAbout(report, id)).toEqual([`ArgoObjectDiffers ${argoNamespace}/repo-cred-${id}`]);
      expect(JSON.stringify(report.findings)).not.toContain('git.example.test');
    });
  });
}
