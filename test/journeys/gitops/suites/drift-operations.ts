import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectGarbage } from '../../../../functions/collect-garbage/index.ts';
import { openCluster } from '../../../../shared/adapters/kubernetes/open-cluster.ts';
import { operations } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { operationName } from '../../../../shared/domain/gitops/names.ts';
import { argoNamespace, type GitOpsWorld } from '../../../support/gitops-world.ts';
import { foundAbout, keepKnocks, runPass } from './drift-pass.ts';
import { makeTenant, makeUnnoticed } from './drift-tenant.ts';
import { openOperationStage } from './operations-stage.ts';

/** Operations that nobody finished, and objects that nobody needs any more. */
export function describeDriftOperations(open: () => Promise<GitOpsWorld>): void {
  describe('a drift pass over operations', () => {
    let world: GitOpsWorld;

    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());

    async function age(operation: string): Promise<void> {
      await world.sql`update operation set created_on = now() - interval '61 minutes' where id = ${operation}`;
    }

    it('DR-34 one that waits for more than an hour is knocked for again, and done', async () => {
      const stage = await openOperationStage(world);
      const id = await stage.application();
      const operation = await stage.request('Application', id);
      const about = `${stage.namespace.name}/application.${id}`;
      expect(foundAbout(await runPass(world), about)).toEqual([]);
      await age(operation);

      const report = await runPass(world);
      keepKnocks(world, about);
      await world.settle();

      expect(foundAbout(report, about)).toEqual([`OperationStuck ${about}`]);
      expect(await stage.argoApplication(id)).toBeDefined();
      expect(await stage.states(id)).toEqual(['Completed']);
    });

    it('DR-34 the object of one that only an agent can do, and that somebody deleted, is there again in the namespace of its Argo CD', async () => {
      const stage = await openOperationStage(world);
      const place = await world.namespace('agent');
      const engine = await stage.engine(place, { clusterId: stage.clusterId, transport: 'agent' });
      const id = await stage.application();
      await stage.moveTo(engine, id);
      const operation = await stage.request('Application', id, { instance: engine });
      await stage.look('Application', id);
      const key = { namespace: place.name, name: operationName(operation) };
      await stage.cluster.remove(operations, key);
      expect(await stage.cluster.read(operations, key)).toBeUndefined();
      await age(operation);
      world.connection.asked.length = 0;

      const report = await runPass(world);
      keepKnocks(world, id);
      await world.settle();

      expect(foundAbout(report, id)).toEqual([`OperationStuck ${stage.namespace.name}/application.${id}`]);
      expect(world.connection.asked.filter(({ method }) => method === 'POST').map(({ path }) => path)).toContain(
        `/apis/managed-gitops.redhat.com/v1alpha1/namespaces/${place.name}/operations`,
      );
      // The agent of this world is apply-operation itself, and was told by the object.
      expect(await stage.operation(operation)).toMatchObject({ state: 'Completed' });
    });

    it('CN-05 objects of repairs go as soon as their rows are done; those of others, and unfinished ones, stay', async () => {
      const tenant = await makeTenant(world);
      const make = async (state: string, repair: boolean): Promise<string> => {
        const id = randomUUID();
        await world.sql`insert into operation (id, instance_id, resource_id, resource_type, state)
          values (${id}, ${tenant.instanceId}, ${id}, 'Application', ${state})`;
        const source = repair ? { annotations: { source: 'periodic-cleanup' } } : {};
        const metadata = { name: operationName(id), namespace: argoNamespace, ...source };
        await makeUnnoticed(world, operations, { metadata, spec: { operationID: id } });
        return id;
      };
      const done = [await make('Completed', true), await make('Failed', true)];
      const kept = [
        await make('Waiting', true),
        await make('In_Progress', true),
        await make('Completed', false),
        await make('Failed', false),
      ];

      await collectGarbage.tick(world.machine);

      const cluster = openCluster({ connection: world.bare });
      const found = await Promise.all(
        [...done, ...kept].map(async (id) => {
          const object = await cluster.read(operations, { namespace: argoNamespace, name: operationName(id) });
          return object?.spec.operationID;
        }),
      );
      expect(found).toEqual([undefined, undefined, ...kept]);
      // The rows stay for whoever asks what became of them.
      expect(await world.sql`select from operation where id in ${world.sql(done)}`).toHaveLength(2);
    });
  });
}
