import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../../support/api-client.ts';
import { type ApiWorld, freshName, pathOf } from '../../../support/api-world.ts';
import { deployment, deployments, eventOf } from './audit-requests.ts';

export function describeAuditSilence(world: () => ApiWorld): void {
  const admin = () => world().client();
  let namespace: string;

  beforeAll(async () => {
    namespace = await world().namespace();
  });

  /** Events come in order, so that what was to be told before this one has been told by then. */
  async function toldUntilNow(): Promise<ReadonlySet<string>> {
    const last = await admin().create(deployments(namespace), deployment(freshName('last')));
    await eventOf(world(), last);
    return new Set(world().audit.events.map(({ auditID }) => auditID));
  }

  const idOf = (answer: Answer) => String(answer.headers['audit-id']);

  describe('what our audit policy leaves out', () => {
    it('is every reading of our kinds', async () => {
      const asked = [
        await admin().list(deployments(namespace)),
        await admin().get(deployments(namespace, 'absent')),
        await admin().list(pathOf('v1', 'secrets', namespace)),
      ];

      const told = await toldUntilNow();

      expect(asked.filter((answer) => told.has(idOf(answer)))).toEqual([]);
    });

    it('is every change of kinds that nobody waits for', async () => {
      const path = pathOf('v1', 'configmaps', namespace);
      const asked = [
        await admin().create(path, { metadata: { name: 'one' } }),
        await admin().patch(`${path}/one`, 'merge', { data: { a: '1' } }),
        await admin().delete(`${path}/one`),
        await admin().create('/api/v1/namespaces', { metadata: { name: freshName('ns') } }),
      ];

      const told = await toldUntilNow();

      expect(asked.filter((answer) => told.has(idOf(answer)))).toEqual([]);
    });

    it('is what a Secret holds', async () => {
      const path = pathOf('v1', 'secrets', namespace);
      const value = freshName('value');
      const encoded = Buffer.from(value).toString('base64');
      const asked = [
        await admin().create(path, { metadata: { name: 'one' }, stringData: { password: value } }),
        await admin().patch(`${path}/one`, 'merge', { stringData: { password: `${value}-2` } }),
        await admin().update(`${path}/one`, { metadata: { name: 'one' }, data: { password: encoded } }),
        await admin().patch(
          `${path}/one`,
          'apply',
          { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'one' }, data: { more: encoded } },
          { fieldManager: 'contract' },
        ),
        await admin().delete(`${path}/one`),
      ];

      const events = await Promise.all(asked.map((answer) => eventOf(world(), answer)));

      expect(asked.map(({ code }) => code)).toEqual([201, 200, 200, 200, 200]);
      expect(events.map(({ level }) => level)).toEqual(Array(5).fill('Metadata'));
      expect(JSON.stringify(events)).not.toContain(value);
      expect(JSON.stringify(events)).not.toContain(encoded.slice(0, -4));
      expect(events.filter((event) => event.requestObject !== undefined || event.responseObject !== undefined)).toEqual(
        [],
      );
    });

    it('is every stage but the last', async () => {
      const answer = await admin().create(deployments(namespace), deployment(freshName('staged')));
      await eventOf(world(), answer);
      await toldUntilNow();

      const stages = world()
        .audit.events.filter(({ auditID }) => auditID === idOf(answer))
        .map(({ stage }) => stage);

      expect(stages).toEqual(['ResponseComplete']);
    });
  });
}
