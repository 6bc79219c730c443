import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiWorld, pathOf } from '../../../support/api-world.ts';
import { type Hook, type HookSettings, hook } from './admission-hooks.ts';

/** The address of a port where nobody listens any more. */
async function nobody(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `https://127.0.0.1:${port}/review`;
}

export function describeAdmissionFailures(world: () => ApiWorld): void {
  const admin = () => world().client();
  let namespace: string;
  let hooks: Hook[];
  const path = (name?: string) => pathOf('v1', 'configmaps', namespace, name);

  beforeEach(async () => {
    namespace = await world().namespace();
    hooks = [];
  });
  afterEach(async () => {
    for (const { path: config } of hooks) await admin().delete(config);
  });

  async function hooked(settings: Omit<HookSettings, 'namespace'>): Promise<Hook> {
    const made = await hook(world(), { namespace, ...settings });
    hooks.push(made);
    return made;
  }

  const created = (query = {}) => admin().create(path(), { metadata: { name: 'one' } }, query);

  describe.each(['Validating', 'Mutating'] as const)('a %s webhook', (type) => {
    it('that is down fails the request', async () => {
      const url = await nobody();
      const { name } = await hooked({ type, webhook: { clientConfig: { url }, failurePolicy: 'Fail' } });

      const { code, body } = await created();

      expect([code, body.reason]).toEqual([500, 'InternalError']);
      expect(body.message).toBe(
        `Internal error occurred: failed calling webhook "${name}": failed to call webhook: Post "${url}?timeout=10s": dial tcp ${new URL(url).host}: connect: connection refused`,
      );
    });

    it('that is down is passed over where it may be ignored', async () => {
      const clientConfig = { url: await nobody() };
      await hooked({ type, webhook: { clientConfig, failurePolicy: 'Ignore' } });

      expect((await created()).code).toBe(201);
    });

    it('that fails fails the request', async () => {
      const { name } = await hooked({ type, answer: () => undefined });

      const { code, body } = await created();

      expect([code, body.reason]).toEqual([500, 'InternalError']);
      expect(body.message).toContain(`failed calling webhook "${name}": failed to call webhook:`);
    });

    it('that fails is passed over where it may be ignored', async () => {
      await hooked({ type, answer: () => undefined, webhook: { failurePolicy: 'Ignore' } });

      expect((await created()).code).toBe(201);
    });

    it('that denies is heard where its failures are ignored', async () => {
      await hooked({ type, answer: () => ({ allowed: false }), webhook: { failurePolicy: 'Ignore' } });

      expect((await created()).code).toBe(400);
    });

    it('without side effects on a dry run is asked', async () => {
      const told = await hooked({ type, webhook: { sideEffects: 'NoneOnDryRun' } });

      const { code } = await created({ dryRun: 'All' });

      expect(code).toBe(201);
      expect(told.requests).toMatchObject([{ dryRun: true }]);
    });
  });

  describe('a webhook that does not answer in time', () => {
    // Longer than the time-out of the webhook, shorter than that of the test.
    const slow = async () => {
      await pause(1_500);
      return { allowed: true };
    };

    it('fails the request', async () => {
      const { name } = await hooked({ answer: slow, webhook: { timeoutSeconds: 1 } });

      const { code, body } = await created();

      expect([code, body.reason]).toEqual([500, 'InternalError']);
      expect(body.message).toContain(
        `failed calling webhook "${name}": failed to call webhook: Post "https://127.0.0.1:`,
      );
      expect(body.message).toMatch(/context deadline exceeded|Client\.Timeout exceeded/);
    });

    it('is passed over where it may be ignored', async () => {
      await hooked({ answer: slow, webhook: { timeoutSeconds: 1, failurePolicy: 'Ignore' } });

      expect((await created()).code).toBe(201);
    });
  });
}
