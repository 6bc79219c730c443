import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resourceQuotas, spaceRequests } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { openSpaceTenant, readyOf } from './spaces-tenant.ts';

const wanted = 'stagecoach.dev/wanted-resources';
const granted = 'stagecoach.dev/granted-resources';

export function describeSpaceQuotas(open: () => Promise<GitOpsWorld>): void {
  describe('how much a provisioned namespace may use', () => {
    let world: GitOpsWorld;
    beforeAll(async () => {
      world = await open();
    }, 180_000);
    afterAll(() => world.close());

    async function quotasOf(namespace: string | undefined) {
      const found: { readonly name: string; readonly hard: Readonly<Record<string, string>> | undefined }[] = [];
      for await (const page of world.cluster.list(resourceQuotas, { namespace: namespace ?? '' }))
        found.push(...page.map(({ metadata, spec }) => ({ name: metadata.name, hard: spec?.hard })));
      return found;
    }

    it('is a quota of what was wanted, and the request says that it was granted', async () => {
      const tenant = await openSpaceTenant(world);
      const resources = JSON.stringify({
        requests: { cpu: '1500m', memory: '1Gi', storage: '10Gi' },
        limits: { cpu: '2', memory: '2048Mi' },
      });

      await tenant.ask({ annotations: { [wanted]: resources } });
      const { status, metadata } = await tenant.untilReady();

      const [quota, ...others] = await quotasOf(status?.namespaceAccess[0]?.name);
      expect(Object.keys(quota?.hard ?? {}).sort()).toEqual([
        'limits.cpu',
        'limits.memory',
        'requests.cpu',
        'requests.memory',
        'requests.storage',
      ]);
      expect(quota?.hard?.['requests.storage']).toBe('10Gi');
      expect(others).toEqual([]);
      expect(metadata.annotations[granted]).toBe(resources);
      expect(await tenant.lookAgain()).toEqual([]);
    });

    it('has no quota where nothing is wanted', async () => {
      const tenant = await openSpaceTenant(world);

      await tenant.ask();
      const { status } = await tenant.untilReady();

      expect(await quotasOf(status?.namespaceAccess[0]?.name)).toEqual([]);
    });

    it('grows with what is wanted, stays Ready meanwhile, and ends when nothing is wanted any more', async () => {
      const tenant = await openSpaceTenant(world);
      await tenant.ask({ annotations: { [wanted]: '{"requests":{"cpu":"1"},"limits":{"cpu":"2"}}' } });
      const before = await tenant.untilReady();
      const place = before.status?.namespaceAccess[0]?.name;

      const more = '{"requests":{"cpu":"2","memory":"1Gi"}}';
      await world.cluster.patch(spaceRequests, tenant.key, { metadata: { annotations: { [wanted]: more } } });
      await world.settle();

      const request = await tenant.read();
      expect(request?.metadata.annotations[granted]).toBe(more);
      expect(request?.status).toEqual(before.status);
      expect(await quotasOf(place)).toEqual([
        { name: 'wanted-resources', hard: { 'requests.cpu': '2', 'requests.memory': '1Gi' } },
      ]);

      await world.cluster.patch(spaceRequests, tenant.key, { metadata: { annotations: { [wanted]: null } } });
      await world.settle();

      expect((await tenant.read())?.metadata.annotations).not.toHaveProperty(granted);
      expect(await quotasOf(place)).toEqual([]);
    });

    it('Q19 is set right again when somebody made it larger by hand', async () => {
      const tenant = await openSpaceTenant(world);
      await tenant.ask({ annotations: { [wanted]: '{"requests":{"cpu":"1"}}' } });
      const { status } = await tenant.untilReady();
      const key = { namespace: status?.namespaceAccess[0]?.name ?? '', name: 'wanted-resources' };
      await world.cluster.patch(resourceQuotas, key, { spec: { hard: { 'requests.cpu': '8', pods: '4' } } });

      await tenant.lookAgain();

      expect(await quotasOf(key.namespace)).toEqual([{ name: key.name, hard: { 'requests.cpu': '1' } }]);
    });

    it('is refused with a sentence where nobody can read it, and nothing is made', async () => {
      const tenant = await openSpaceTenant(world);

      await tenant.ask({ annotations: { [wanted]: '{"requests":{"cpu":"plenty"}}' } });
      await world.settle();

      const request = await tenant.read();
      expect(readyOf(request)).toMatchObject({
        status: 'False',
        reason: 'UnableToProvision',
        message: expect.stringContaining('requests.cpu is no amount'),
      });
      expect(request?.metadata.annotations).not.toHaveProperty(granted);
      expect(await tenant.places()).toEqual([]);
      expect(await tenant.lookAgain()).toEqual([]);
    });
  });
}
