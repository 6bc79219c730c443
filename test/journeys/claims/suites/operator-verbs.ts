import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runClaims } from '../../../../scripts/ops/claims.ts';
import { runClaimsRecycle } from '../../../../scripts/ops/claims-recycle.ts';
import { runEnvironmentsClone } from '../../../../scripts/ops/environments-clone.ts';
import { runOnboard } from '../../../../scripts/ops/onboard.ts';
import { claims, environments, namespaces, targets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { type ClaimsWorld, deploysTo, openClaimsWorld } from '../../../ops/claims-world.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { until } from '../../../support/until.ts';

/** What an operator does, and what the functions make of it. */
export function describeOperatorVerbs(open: () => Promise<GitOpsWorld>): void {
  describe('the operator’s verbs and the functions', () => {
    let world: ClaimsWorld;

    beforeAll(async () => {
      world = await openClaimsWorld(open);
    });
    afterAll(() => world.close());

    async function untilSettled<Found>(what: string, look: () => Promise<Found | undefined | false>): Promise<Found> {
      return until(what, async () => {
        await world.settle();
        const found = await look();
        if (found === undefined || found === false) await world.wake();
        return found;
      });
    }

    const phaseOf = async (namespace: string, name: string) =>
      (await world.cluster.read(claims, { namespace, name }))?.status?.phase;

    it('a Released target goes to the claim that waits for one only when an operator recycles it', async () => {
      const { name: namespace } = await world.namespace();
      const target = () => world.cluster.read(targets, { namespace, name: 'dt' });
      const classless = { spec: { deploymentTargetClassName: '' } };
      await world.aTarget(namespace, 'dt');
      await world.aClaim(namespace, 'first', classless);
      await untilSettled('first to be bound', async () => (await phaseOf(namespace, 'first')) === 'Bound');
      await world.cluster.remove(claims, { namespace, name: 'first' });
      await untilSettled('dt to be Released', async () => (await target())?.status?.phase === 'Released');
      await world.aClaim(namespace, 'second', classless);
      await world.settle();

      expect(await phaseOf(namespace, 'second')).toBe('Pending');

      await runClaimsRecycle(world.context, { target: `${namespace}/dt` });

      await untilSettled('second to be bound', async () => (await phaseOf(namespace, 'second')) === 'Bound');
      expect((await target())?.spec.claimRef?.name).toBe('second');
    });

    it('a namespace that was onboarded has two claims that are bound, and a clone of one goes without leaving anything', async () => {
      const { name: namespace } = await world.namespace();
      await runOnboard(world.context, { namespace });
      for (const name of ['development-dtc', 'staging-dtc'])
        await untilSettled(`${name} to be bound`, async () => (await phaseOf(namespace, name)) === 'Bound');

      const { value } = await runEnvironmentsClone(world.context, {
        environment: `${namespace}/staging`,
        ttl: '4h',
        name: 'copy',
      });
      await untilSettled('the clone to be bound', async () => (await phaseOf(namespace, value.claim)) === 'Bound');
      const bound = await world.cluster.read(claims, { namespace, name: value.claim });
      const behind = (await world.cluster.read(targets, { namespace, name: bound?.spec.targetName ?? '' }))?.spec
        .kubernetesCredentials.defaultNamespace;
      expect(behind).toMatch(/./);

      await world.cluster.remove(claims, { namespace, name: value.claim });

      const copy = { namespace, name: value.environment };
      await untilSettled('the clone to go', async () => (await world.cluster.read(environments, copy)) === undefined);
      await untilSettled(
        'its namespace to go',
        async () => (await world.cluster.read(namespaces, { namespace: '', name: behind ?? '' })) === undefined,
      );
      expect((await runClaims(world.context, { namespace })).value.leaks).toEqual([]);
    });

    it('a clone whose time is over ends by itself', async () => {
      const { name: namespace } = await world.namespace();
      await world.anEnvironment(namespace, 'staging', deploysTo('nobody'));

      const { value } = await runEnvironmentsClone(world.context, {
        environment: `${namespace}/staging`,
        ttl: '1s',
        name: 'short',
      });

      const copy = { namespace, name: value.environment };
      await untilSettled('the clone to go', async () => (await world.cluster.read(environments, copy)) === undefined);
      expect((await runClaims(world.context, { namespace })).value).toEqual({ claims: [], leaks: [] });
    });
  });
}
