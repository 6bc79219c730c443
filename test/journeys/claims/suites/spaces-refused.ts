import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { roles, spaceRequests } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { Refused } from '../../../../shared/ports/trouble.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { openSpaceTenant, readyOf } from './spaces-tenant.ts';

export function describeSpaceRefusals(open: () => Promise<GitOpsWorld>): void {
  describe('what a cluster refuses to whoever provisions namespaces', () => {
    let world: GitOpsWorld;
    beforeAll(async () => {
      world = await open();
    }, 180_000);
    afterAll(() => world.close());

    function refuse(method: string, path: RegExp): void {
      world.connection.trouble = (asked, when) =>
        when === 'before' && asked.method === method && path.test(asked.path)
          ? new Refused('Forbidden', 'somebody must allow it')
          : undefined;
    }

    it('Q10 is said on the request, is tried again without further words, and goes on when it is allowed', async () => {
      const tenant = await openSpaceTenant(world);
      refuse('POST', /\/roles$/);
      await tenant.ask();
      await world.settle();

      const told = await tenant.read();
      expect(readyOf(told)).toMatchObject({
        status: 'False',
        reason: 'UnableToProvision',
        message: 'The cluster refuses to write access (Forbidden): somebody must allow it',
      });
      await world.wake();
      await world.settle();
      expect((await tenant.read())?.metadata.resourceVersion).toBe(told?.metadata.resourceVersion);

      world.connection.trouble = undefined;
      await tenant.untilReady();
      expect(await tenant.places()).toHaveLength(1);
    });

    it('Q10 of a Secret is said without the words of the cluster, and nothing says that it is ready', async () => {
      const tenant = await openSpaceTenant(world);
      refuse('POST', /\/api\/v1\/namespaces\/[^/]+\/secrets$/);
      await tenant.ask();
      await world.settle();
      expect(readyOf(await tenant.read())).toMatchObject({
        reason: 'UnableToProvision',
        message: 'The cluster refuses to make token (Forbidden)',
      });
      expect((await tenant.read())?.status?.namespaceAccess).toEqual([]);

      world.connection.trouble = undefined;
      await tenant.untilReady();
    });

    it('is said of a request that goes, which stays until its namespace is gone', async () => {
      const tenant = await openSpaceTenant(world);
      await tenant.ask();
      const { status } = await tenant.untilReady();
      refuse('DELETE', /^\/api\/v1\/namespaces\/[^/]+$/);

      await world.cluster.remove(spaceRequests, tenant.key);
      await world.settle();

      expect(readyOf(await tenant.read())).toMatchObject({
        reason: 'UnableToTerminate',
        message: 'The cluster refuses to delete namespace (Forbidden): somebody must allow it',
      });
      const key = { namespace: status?.namespaceAccess[0]?.name ?? '', name: 'namespace-manager' };
      expect(await world.cluster.read(roles, key)).toBeDefined();

      world.connection.trouble = undefined;
      await tenant.until('the request to go', async () => (await tenant.read()) === undefined);
      expect(await tenant.places()).toEqual([]);
    });
  });

  describe('the token of a provisioned namespace', () => {
    let world: GitOpsWorld;
    beforeAll(async () => {
      world = await open();
    }, 180_000);
    afterAll(() => world.close());

    it('stands in no row, no log line and no condition', async () => {
      const tenant = await openSpaceTenant(world);
      await tenant.ask();
      const request = await tenant.untilReady();
      await tenant.lookAgain();

      const token = (await tenant.kubeconfig()).users[0]?.user.token ?? '';
      const { lines = [] } = world.machine as { readonly lines?: readonly unknown[] };
      const rows = await world.sql`
        select to_jsonb(l) as row from ledger l union all select to_jsonb(s) from step_log s
        union all select to_jsonb(w) from wakeup w union all select to_jsonb(k) from knock k`;
      const told = JSON.stringify([lines, rows, request]);
      expect(token.length).toBeGreaterThan(100);
      expect(rows.length).toBeGreaterThan(5);
      expect(lines.length).toBeGreaterThan(2);
      expect(told).toContain('write-kubeconfig');
      expect(told).not.toContain(token);
      expect(told).not.toContain(Buffer.from(token).toString('base64').slice(0, 80));
    });
  });
}
