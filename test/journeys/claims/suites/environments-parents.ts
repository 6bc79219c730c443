import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { environments, namespaces } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { until } from '../../../support/until.ts';
import { type EnvironmentHands, managedType, nowhere, openEnvironmentHands } from './environments-world.ts';

const finalizer = 'environment.appstudio.redhat.com/finalizer';

/** Which Environment follows which, with the webhook down. */
export function describeEnvironmentParents(open: () => Promise<GitOpsWorld>): void {
  describe('Environments that follow one another', () => {
    let world: GitOpsWorld;
    let hands: EnvironmentHands;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world?.close());
    beforeEach(async () => {
      hands = await openEnvironmentHands(world);
    });

    async function finalizersOf(name: string): Promise<readonly string[] | undefined> {
      return (await hands.find(name))?.metadata.finalizers;
    }

    it.each([
      ['before', ['dev', 'stage']],
      ['after', ['stage', 'dev']],
    ])('hold the parent that was made %s its child', async (_when, order) => {
      for (const name of order) await hands.create(name, name === 'stage' ? { parentEnvironment: 'dev' } : {});
      await hands.settle();

      expect(await finalizersOf('dev')).toEqual([finalizer]);
      expect(await finalizersOf('stage')).toEqual([]);
      expect((await hands.conditions('stage'))['ParentFound']?.slice(0, 5)).not.toBe('False');
    });

    it('let the parent go when the child has another parent, and keep the finalizers of others', async () => {
      await hands.create('dev');
      await hands.create('lab');
      await hands.create('stage', { parentEnvironment: 'dev' });
      await hands.settle();
      await world.cluster.patch(
        environments,
        { namespace: hands.namespace, name: 'dev' },
        { metadata: { finalizers: [finalizer, 'someone.example/else'] } },
      );
      await hands.change('stage', { parentEnvironment: 'lab' });
      await hands.settle();

      expect(await finalizersOf('dev')).toEqual(['someone.example/else']);
      expect(await finalizersOf('lab')).toEqual([finalizer]);
    });

    it('keep a parent that is deleted, which says why, until the last child is gone', async () => {
      await hands.create('dev');
      await hands.create('stage', { parentEnvironment: 'dev' });
      await hands.create('prod', { parentEnvironment: 'dev' });
      await hands.settle();

      await hands.drop('dev');
      await hands.settle();
      expect((await hands.conditions('dev'))['Deletable']).toBe(
        'False/HasChildren/It is the parentEnvironment of prod, stage: give them another parent or delete them, then this Environment goes',
      );

      await hands.drop('stage');
      await hands.settle();
      expect((await hands.conditions('dev'))['Deletable']).toContain('is the parentEnvironment of prod:');

      await hands.change('prod', { parentEnvironment: '' });
      await hands.settle();
      expect(await hands.find('dev')).toBeUndefined();
      expect(await hands.find('prod')).toBeDefined();
    });

    it('go together when all of them are deleted, in whatever order', async () => {
      for (const [name, parentEnvironment] of [
        ['dev', ''],
        ['stage', 'dev'],
        ['prod', 'stage'],
      ] as const)
        await hands.create(name, { parentEnvironment });
      await hands.settle();
      for (const name of ['dev', 'stage', 'prod']) await hands.drop(name);
      await hands.settle();

      for (const name of ['dev', 'stage', 'prod']) expect(await hands.find(name)).toBeUndefined();
    });

    it('do not keep a namespace that is deleted', async () => {
      await hands.create('dev');
      await hands.create('stage', { parentEnvironment: 'dev' });
      await hands.settle();
      expect(await finalizersOf('dev')).toEqual([finalizer]);

      await world.cluster.remove(namespaces, { namespace: '', name: hands.namespace });
      for (const name of ['dev', 'stage']) hands.knock(name);
      await hands.settle();
      await until('the parent to be gone or free', async () => {
        const found = await finalizersOf('dev');
        return found === undefined || !found.includes(finalizer);
      });
    });

    it('in a circle take no part and say so, and take part when it is broken', async () => {
      await hands.putSecret('own-secret', 'x', managedType);
      const unstableConfigurationFields = {
        kubernetesCredentials: { apiURL: nowhere, clusterCredentialsSecret: 'own-secret' },
      };
      for (const [name, parentEnvironment] of [
        ['a', 'b'],
        ['b', 'c'],
        ['c', 'a'],
      ] as const)
        await hands.create(name, { parentEnvironment, unstableConfigurationFields });
      await hands.settle();

      for (const name of ['b', 'c']) {
        expect((await hands.conditions(name))['ParentsValid']).toMatch(/^False\/ParentCycle\/.*a → b → c → a/);
        expect((await hands.conditions(name))['TargetReady']).toMatch(/^False\/ParentCycle\//);
      }
      expect((await hands.conditions('a'))['ParentsValid']).toMatch(/^False\/ParentCycle\//);

      await hands.change('b', { parentEnvironment: '' });
      await hands.settle();
      for (const name of ['a', 'b', 'c']) {
        expect((await hands.conditions(name))['ParentsValid']).toBe('True/NoCycle/');
        expect(await hands.managed(name)).toBeDefined();
      }
    });

    it('in a circle from the start make nothing', async () => {
      await hands.putSecret('own-secret', 'x', managedType);
      await hands.create('self', {
        parentEnvironment: 'self',
        unstableConfigurationFields: {
          kubernetesCredentials: { apiURL: nowhere, clusterCredentialsSecret: 'own-secret' },
        },
      });
      await hands.settle();

      expect((await hands.conditions('self'))['ParentsValid']).toContain('self → self');
      expect(await hands.managed('self')).toBeUndefined();
      expect(await finalizersOf('self')).toEqual([]);
      await hands.drop('self');
      await hands.settle();
      expect(await hands.find('self')).toBeUndefined();
    });

    it('may name a parent that is not there, and are told when it comes and when it goes', async () => {
      await hands.create('stage', { parentEnvironment: 'dev' });
      await hands.settle();
      expect((await hands.conditions('stage'))['ParentFound']).toBe(
        'False/ParentNotFound/The parent environment dev does not exist: until it does, no Snapshot comes here by itself',
      );
      expect((await hands.conditions('stage'))['TargetReady']).toContain('True/OwnNamespace');

      await hands.create('dev');
      await hands.settle();
      expect((await hands.conditions('stage'))['ParentFound']).toBe('True/ParentFound/');
      expect(await finalizersOf('dev')).toEqual([finalizer]);
    });

    it('come to rest in whatever order they are made, and then write nothing', async () => {
      const parents: Record<string, string> = { dev: '', stage: 'dev', prod: 'stage', qa: 'dev', x: 'y', y: 'x' };
      for (const name of ['prod', 'y', 'qa', 'stage', 'x', 'dev'])
        await hands.create(name, { parentEnvironment: parents[name] });
      await hands.settle();
      expect(await Promise.all(['dev', 'stage', 'prod', 'qa', 'x', 'y'].map(finalizersOf))).toEqual([
        [finalizer],
        [finalizer],
        [],
        [],
        [finalizer],
        [finalizer],
      ]);

      world.connection.asked.length = 0;
      for (const name of Object.keys(parents)) hands.knock(name);
      const ran = await hands.settle();
      expect(world.connection.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
      expect(ran.filter((one) => one.function === 'reconcile-environment')).toHaveLength(6);
    });
  });
}
