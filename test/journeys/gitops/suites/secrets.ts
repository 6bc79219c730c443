import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { managedEnvironments, repositoryCredentials, secrets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { secretTypes } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import { repositorySecretName } from '../../../../shared/domain/gitops/names.ts';
import { argoNamespace, type GitOpsWorld } from '../../../support/gitops-world.ts';

/** Who is woken when a Secret changes. */
export function describeSecrets(open: () => Promise<GitOpsWorld>): void {
  describe('BC-03 a Secret that changes', () => {
    let world: GitOpsWorld;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world?.close());

    /** In a namespace of their own: environments and credentials that name `creds`, and one of each that does not. */
    async function namers(many: number): Promise<string> {
      const { name: namespace } = await world.namespace('namers');
      for (let number = 0; number <= many; number += 1) {
        const secret = number === 0 ? 'other' : 'creds';
        const metadata = { namespace, name: `of-${secret}-${number}` };
        await world.cluster.create(managedEnvironments, {
          metadata,
          spec: { apiURL: 'https://127.0.0.1:1', credentialsSecret: secret },
        });
        await world.cluster.create(repositoryCredentials, {
          metadata,
          spec: { repository: 'http://127.0.0.1:1/r', secret },
        });
      }
      return namespace;
    }

    /** What the function would send; who consumes it is another matter. */
    async function wakes(namespace: string, name: string): Promise<readonly string[]> {
      const door = world.functions.get('forward-secret');
      const rehearsal = await door?.rehearse({ namespace, name }, { now: 0 }, { world: world.world });
      return (rehearsal?.step?.knocks ?? [])
        .map(({ type, subject }) => `${type} ${subject.namespace}/${subject.name}`)
        .sort();
    }

    it.each([1, 5])('wakes the %d environments and credentials that name it, and no others', async (many) => {
      const namespace = await namers(many);
      await namers(1);

      expect(await wakes(namespace, 'creds')).toEqual(
        ['managed-environment.changed.v1', 'repo-credential.changed.v1'].flatMap((type) =>
          Array.from({ length: many }, (_none, index) => `${type} ${namespace}/of-creds-${index + 1}`),
        ),
      );
    });

    it('wakes nobody where nobody names it, or only in another namespace', async () => {
      await namers(1);
      const { name: elsewhere } = await world.namespace('namers');

      expect(await wakes(await namers(0), 'creds')).toEqual([]);
      expect(await wakes(elsewhere, 'creds')).toEqual([]);
      expect(await wakes('nowhere', 'creds')).toEqual([]);
    });

    it('wakes whoever waited for it, without being read on the way', async () => {
      const namespace = await namers(1);
      await world.settle();
      world.connection.asked.length = 0;

      await world.cluster.create(secrets, {
        metadata: { namespace, name: 'creds' },
        type: secretTypes.repositoryCredential,
        data: {},
      });
      const [first, ...others] = world.queue.sent;
      expect([first?.message.function, others]).toEqual(['forward-secret', []]);
      world.connection.asked.length = 0;
      expect(await wakes(namespace, 'creds')).toHaveLength(2);
      expect(world.connection.asked.filter(({ path }) => path.includes('/secrets'))).toEqual([]);

      const ran = await world.settle();
      expect(ran.slice(0, 2)).toMatchObject([
        { function: 'forward-secret', outcome: { kind: 'stepped' } },
        { subject: `${namespace}/of-creds-1` },
      ]);
      expect(ran).toContainEqual(
        expect.objectContaining({ function: 'reconcile-repo-credential', subject: `${namespace}/of-creds-1` }),
      );
    });

    it('that we wrote for Argo CD ourselves costs nothing', async () => {
      world.connection.asked.length = 0;

      expect(await wakes(argoNamespace, repositorySecretName('2f6f0f3e-5f0a-4f0e-9d55-0a5b1c2d3e4f'))).toEqual([]);
      expect(world.connection.asked).toEqual([]);
    });
  });
}
