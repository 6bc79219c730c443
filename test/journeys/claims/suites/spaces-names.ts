import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namespaces, secrets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { kubeconfigNames, placeNames } from '../../../../shared/domain/space/space-names.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { openSpaceTenant } from './spaces-tenant.ts';

export function describeSpaceNames(open: () => Promise<GitOpsWorld>): void {
  describe('names that somebody else has already', () => {
    let world: GitOpsWorld;
    beforeAll(async () => {
      world = await open();
    }, 180_000);
    afterAll(() => world.close());

    it('Q13 a namespace of another is not entered: ours has a longer name, and keeps it when the other one goes', async () => {
      const tenant = await openSpaceTenant(world);
      const { metadata } = await tenant.ask();
      const [taken = '', longer = ''] = placeNames({ ...tenant.key, uid: metadata.uid });
      const foreign = await world.cluster.create(namespaces, {
        metadata: { name: taken, labels: { 'toolchain.dev.openshift.com/spacerequest': tenant.key.name } },
      });

      const request = await tenant.untilReady();

      expect(request.status?.namespaceAccess.map(({ name }) => name)).toEqual([longer]);
      const untouched = await world.cluster.read(namespaces, { namespace: '', name: taken });
      expect(untouched?.metadata.annotations).not.toHaveProperty('stagecoach.dev/space-request-uid');
      const inside = [];
      for await (const page of world.cluster.list(secrets, { namespace: taken })) inside.push(...page);
      expect(inside).toEqual([]);

      await world.cluster.remove(namespaces, { namespace: '', name: taken }, { uid: foreign.metadata.uid });
      await tenant.until(
        'the other namespace to go',
        async () => (await world.cluster.read(namespaces, { namespace: '', name: taken })) === undefined,
      );

      expect(await tenant.lookAgain()).toEqual([]);
      expect(await tenant.places()).toHaveLength(1);
    });

    it('a Secret of another is not written: ours has a longer name', async () => {
      const tenant = await openSpaceTenant(world);
      const { metadata } = await tenant.ask();
      const [taken = '', longer = ''] = kubeconfigNames({ ...tenant.key, uid: metadata.uid });
      const key = { namespace: tenant.namespace.name, name: taken };
      await world.cluster.create(secrets, { metadata: key, data: { mine: 'bXkgb3du' } });

      const request = await tenant.untilReady();

      expect(request.status?.namespaceAccess.map(({ secretRef }) => secretRef)).toEqual([longer]);
      expect((await world.cluster.read(secrets, key))?.data).toEqual({ mine: 'bXkgb3du' });
      expect(await tenant.lookAgain()).toEqual([]);
    });

    it('a name of the tenant that fills all the room there is, and a request with a name that fits no label', async () => {
      const long = await openSpaceTenant(world, `dev.${'x'.repeat(80)}`);

      await long.ask();
      const request = await long.untilReady();

      const [access] = request.status?.namespaceAccess ?? [];
      const made = await world.cluster.read(namespaces, { namespace: '', name: access?.name ?? '' });
      expect(made?.metadata.labels).not.toHaveProperty(['toolchain.dev.openshift.com/spacerequest']);
      expect(made?.metadata.labels).toHaveProperty(
        ['toolchain.dev.openshift.com/spacerequest-namespace'],
        long.namespace.name,
      );
      expect(access?.secretRef).toMatch(/^dev\.x{80}-[0-9a-f]{5}$/);
    });
  });
}
