import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namespaces, spaceRequests } from '../../../shared/contracts/kubernetes/kinds.ts';
import { type GitOpsWorld, openGitOpsWorld } from '../../support/gitops-world.ts';
import { openSpaceTenant } from './suites/spaces-tenant.ts';

describe('SpaceRequests where the toolchain operator runs', () => {
  let world: GitOpsWorld;
  beforeAll(async () => {
    const spaces = {
      fulfils: false,
      tiers: ['appstudio-env'],
      server: 'https://api.example.com',
      certificateAuthority: async () => undefined,
    };
    world = await openGitOpsWorld({ world: { spaces } });
  });
  afterAll(() => world.close());

  it('are not even looked at, when they come and when they go', async () => {
    const tenant = await openSpaceTenant(world);
    await tenant.ask();
    await world.cluster.patch(spaceRequests, tenant.key, {
      metadata: { finalizers: ['finalizer.toolchain.dev.openshift.com'] },
    });
    world.connection.asked.length = 0;

    world.knock('space-request.changed.v1', tenant.key);
    await world.settle();
    expect(world.connection.asked).toEqual([]);

    await world.cluster.remove(spaceRequests, tenant.key);
    await world.settle();

    expect((await tenant.read())?.metadata.finalizers).toEqual(['finalizer.toolchain.dev.openshift.com']);
    expect(await tenant.places()).toEqual([]);
    expect(await world.cluster.read(namespaces, { namespace: '', name: tenant.namespace.name })).toBeDefined();
  });
});
