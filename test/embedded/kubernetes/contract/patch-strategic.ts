import { describe, expect, it } from 'vitest';
import { type ApiWorld, pathOf } from '../../../support/api-world.ts';
import { deployment, freshPlace } from './sample-objects.ts';

interface Container {
  readonly name: string;
  readonly image: string;
  readonly env?: readonly { readonly name: string; readonly value: string }[];
}

function containersOf(spec: Readonly<Record<string, unknown>>): readonly Container[] {
  return (spec as { template: { spec: { containers: readonly Container[] } } }).template.spec.containers;
}

export function describePatchStrategic(world: () => ApiWorld): void {
  describe('a strategic merge patch', () => {
    async function aDeployment() {
      const { client, namespace } = await freshPlace(world());
      const given = deployment('a', { env: [{ name: 'X', value: '1' }] });
      await client.create(pathOf('apps/v1', 'deployments', namespace), given);
      const path = pathOf('apps/v1', 'deployments', namespace, 'a');

      async function patchContainers(containers: readonly unknown[]) {
        const { code, body } = await client.patch(path, 'strategic', { spec: { template: { spec: { containers } } } });
        expect(code).toBe(200);
        return containersOf(body.spec);
      }
      return { client, path, patchContainers };
    }

    it('merges containers and variables by their names', async () => {
      const { patchContainers } = await aDeployment();

      const containers = await patchContainers([
        { name: 'side', image: 'registry.example.com/side:1' },
        { name: 'main', env: [{ name: 'Y', value: '2' }] },
      ]);

      expect(containers.map(({ name, image }) => [name, image])).toEqual([
        ['side', 'registry.example.com/side:1'],
        ['main', 'registry.example.com/app:1'],
      ]);
      expect(containers[1]?.env).toEqual([
        { name: 'Y', value: '2' },
        { name: 'X', value: '1' },
      ]);
    });

    it('changes one variable and leaves the others', async () => {
      const { patchContainers } = await aDeployment();
      await patchContainers([{ name: 'main', env: [{ name: 'Y', value: '2' }] }]);

      const [main] = await patchContainers([{ name: 'main', env: [{ name: 'X', value: '3' }] }]);

      expect([...(main?.env ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
        { name: 'X', value: '3' },
        { name: 'Y', value: '2' },
      ]);
    });

    it('deletes an entry of a list', async () => {
      const { patchContainers } = await aDeployment();
      await patchContainers([{ name: 'side', image: 'registry.example.com/side:1' }]);

      const containers = await patchContainers([{ name: 'side', $patch: 'delete' }]);

      expect(containers.map(({ name }) => name)).toEqual(['main']);
    });

    it('replaces a whole list', async () => {
      const { patchContainers } = await aDeployment();

      const containers = await patchContainers([
        { $patch: 'replace' },
        { name: 'new', image: 'registry.example.com/new:1' },
      ]);

      expect(containers.map(({ name }) => name)).toEqual(['new']);
    });

    it('treats a map like a merge patch does, and replaces it when told to', async () => {
      const { client, configMaps } = await freshPlace(world());
      await client.create(configMaps, { metadata: { name: 'a' }, data: { a: '1', b: '2' } });

      const merged = await client.patch(`${configMaps}/a`, 'strategic', { data: { a: null, c: '3' } });
      const replaced = await client.patch(`${configMaps}/a`, 'strategic', { data: { $patch: 'replace', z: '1' } });

      expect(merged.body.data).toEqual({ b: '2', c: '3' });
      expect(replaced.body.data).toEqual({ z: '1' });
    });

    it('adds to and takes from a list of plain texts', async () => {
      const { client, configMaps } = await freshPlace(world());
      await client.create(configMaps, { metadata: { name: 'a', finalizers: ['example.com/a'] } });

      const added = await client.patch(`${configMaps}/a`, 'strategic', { metadata: { finalizers: ['example.com/b'] } });
      const taken = await client.patch(`${configMaps}/a`, 'strategic', {
        metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] },
      });

      expect([...(added.body.metadata.finalizers ?? [])].sort()).toEqual(['example.com/a', 'example.com/b']);
      expect(taken.body.metadata.finalizers).toEqual(['example.com/b']);
    });

    it('is refused where the version in it is no longer the newest', async () => {
      const { client, path } = await aDeployment();

      const { code, body } = await client.patch(path, 'strategic', {
        metadata: { resourceVersion: '1' },
        spec: { paused: true },
      });

      expect([code, body.reason]).toEqual([409, 'Conflict']);
      expect(body.message).toBe(
        'Operation cannot be fulfilled on deployments.apps "a": the object has been modified; please apply your changes to the latest version and try again',
      );
    });

    it('is refused for an object that is not there', async () => {
      const { client, configMaps } = await freshPlace(world());

      const { code, body } = await client.patch(`${configMaps}/a`, 'strategic', { data: {} });

      expect([code, body.message]).toEqual([404, 'configmaps "a" not found']);
    });
  });
}
