import { beforeAll, describe, expect, it } from 'vitest';
import { secrets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { argoNamespace } from '../../../support/gitops-world.ts';
import { seesNamespaces, type TargetWorld } from './managed-environments-world.ts';

export function describeEndingEnvironments(opened: () => TargetWorld): void {
  describe('a managed environment that goes', () => {
    let here: TargetWorld;

    beforeAll(() => {
      here = opened();
    });

    /** An application of the environment, as a GitOpsDeployment has left it. */
    async function application(namespace: string, environmentId: string, id: string): Promise<void> {
      const { sql } = here.world;
      await sql`insert into application (id, name, spec_field, engine_instance_id, managed_environment_id)
        select ${id}, ${`gitopsdepl-${id}`}, '{}', a.gitops_engine_instance_id, ${environmentId} from cluster_access a where a.managed_environment_id = ${environmentId}`;
      await sql`insert into deployment_to_application_mapping (id, name, namespace, namespace_uid, application_id)
        select ${id}, ${`web-${id}`}, ${namespace}, a.user_id, ${id} from cluster_access a where a.managed_environment_id = ${environmentId}`;
    }

    it('SM-10 SM-23 takes its rows with it, tells its applications and its cluster Secret, and leaves other environments alone', async () => {
      const namespace = await here.tenant();
      const [id, other] = [await here.create(namespace), await here.create(namespace, {}, 'production')];
      await here.reconcile();
      const [one, two] = [`app-one-${namespace}`, `app-two-${namespace}`];
      await application(namespace, id, one);
      await application(namespace, other, two);
      const credentials = (await here.rows(id))?.['id'];

      await here.drop(namespace);
      const { knocks } = await here.reconcile();

      expect(await here.rows(id)).toBeUndefined();
      expect(await here.world.sql`select from cluster_credentials where id = ${credentials}`).toHaveLength(0);
      expect(await here.world.sql`select from api_cr_to_database_mapping where api_resource_uid = ${id}`).toHaveLength(
        0,
      );
      expect(await here.rows(other)).toMatchObject({ projects: 1, accesses: 1, mappings: 1 });
      expect(
        await here.world
          .sql`select id, managed_environment_id as environment, revision::int from application where id in (${one}, ${two}) order by id`,
      ).toEqual([
        { id: one, environment: null, revision: 2 },
        { id: two, environment: other, revision: 1 },
      ]);
      const operations = await here.world.sql`
        select resource_type || ' ' || resource_id as about from operation where resource_id in (${id}, ${one}, ${two}) and state = 'Waiting' order by 1`;
      expect(operations.map(({ about }) => about)).toEqual([`Application ${one}`, `ManagedEnvironment ${id}`]);
      expect(knocks.toSorted()).toEqual([
        `apply-operation application.${one}`,
        `apply-operation managed-environment.${id}`,
        `reconcile-gitops-deployment web-${one}`,
      ]);
    });

    it('asks for its cluster Secret to go even where no application used it', async () => {
      const namespace = await here.tenant();
      const id = await here.create(namespace);
      await here.reconcile();
      await here.world.sql`update operation set state = 'Completed' where resource_id = ${id}`;

      await here.drop(namespace);
      const { knocks } = await here.reconcile();

      expect(knocks).toEqual([`apply-operation managed-environment.${id}`]);
      expect(await here.world.sql`select from operation where resource_id = ${id} and state = 'Waiting'`).toHaveLength(
        1,
      );
    });

    it('SM-01 shares nothing with one that was made again under its name', async () => {
      const namespace = await here.tenant();
      const old = await here.create(namespace);
      await here.reconcile();

      await here.world.bare.request(
        `/apis/managed-gitops.redhat.com/v1alpha1/namespaces/${namespace}/gitopsdeploymentmanagedenvironments/staging`,
        { method: 'DELETE' },
      );
      const fresh = await here.create(namespace);
      const { outcomes, knocks } = await here.reconcile();

      expect(fresh).not.toBe(old);
      expect(await here.rows(old)).toBeUndefined();
      expect(await here.rows(fresh)).toMatchObject({ projects: 1, accesses: 1, mappings: 1 });
      expect(outcomes[0]).toMatchObject({ effects: 3 });
      expect(knocks.toSorted()).toEqual(
        [old, fresh].map((id) => `apply-operation managed-environment.${id}`).toSorted(),
      );
    });

    it('SM-01 defect 4 with everybody at work: its cluster Secret comes, follows a rotated token, and goes', async () => {
      const [first, second] = [await here.user(seesNamespaces), await here.user(seesNamespaces)];
      const namespace = await here.tenant({ token: first.token });
      const id = await here.create(namespace);
      const key = { namespace: argoNamespace, name: `managed-env-${id}` };
      async function config(): Promise<string> {
        await here.world.settle();
        const secret = await here.world.cluster.read(secrets, key);
        return Buffer.from(secret?.data['config'] ?? '', 'base64').toString('utf8');
      }

      expect(await config()).toContain(first.token);

      await here.putSecret(namespace, 'target', here.kubeconfig({ token: second.token }));
      expect(await config()).toContain(second.token);

      await here.drop(namespace);
      await here.world.settle();
      expect(await here.world.cluster.read(secrets, key)).toBeUndefined();
    });
  });
}
