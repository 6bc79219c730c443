import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { managedEnvironments, targets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { until } from '../../../support/until.ts';
import { decoded, type EnvironmentHands, nowhere, openEnvironmentHands } from './environments-world.ts';

/** What becomes of what was made for an Environment when its place changes, or its names are not its own. */
export function describeMovingEnvironments(open: () => Promise<GitOpsWorld>): void {
  describe('an Environment whose place changes', () => {
    let world: GitOpsWorld;
    let hands: EnvironmentHands;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world?.close());
    beforeEach(async () => {
      hands = await openEnvironmentHands(world);
    });

    async function bound(): Promise<string> {
      await hands.putSecret('dev-secret', 'first');
      await hands.bind();
      const uid = await hands.create('dev', hands.at('dev-dtc'));
      await hands.settle();
      return uid;
    }

    it('goes on nowhere when its claim is taken away from it', async () => {
      await bound();
      await hands.change('dev', { configuration: null });
      await hands.settle();

      expect(await hands.managed('dev')).toBeUndefined();
      expect(await hands.copy('dev')).toBeUndefined();
      expect(decoded(await hands.secret('dev-secret'))).toBe('first');
    });

    it('moves with its managed environment to the target of another claim', async () => {
      await bound();
      const before = await hands.managed('dev');
      await hands.putSecret('other-secret', 'other');
      await hands.bind({ claim: 'other-dtc', target: 'other-dt', secret: 'other-secret', defaultNamespace: 'other' });
      await hands.change('dev', hands.at('other-dtc'));
      await hands.settle();

      const after = await hands.managed('dev');
      expect(after?.spec.namespaces).toEqual(['other']);
      expect(after?.metadata.uid).toBe(before?.metadata.uid);
      expect(decoded(await hands.copy('dev'))).toBe('other');
      expect(await hands.uses('dev')).toEqual({ claim_name: 'other-dtc', secret_name: 'other-secret' });
    });

    it('AE-23 stops deploying when the target is gone', async () => {
      await bound();
      await world.cluster.remove(targets, { namespace: hands.namespace, name: 'dev-dt' });
      await hands.settle();
      await world.wake();
      hands.knock('dev');
      await hands.settle();

      expect(await hands.managed('dev')).toBeUndefined();
      expect(await hands.copy('dev')).toBeUndefined();
      expect((await hands.conditions('dev'))['TargetReady']).toMatch(/^False\/(TargetNotFound|ClaimLost)\//);
    });

    it('AE-08 takes both away when it is deleted, and what is not its own stays', async () => {
      await bound();
      await hands.drop('dev');
      await hands.settle();

      await until('the copy to be gone', async () => (await hands.copy('dev')) === undefined);
      await until('the managed environment to be gone', async () => (await hands.managed('dev')) === undefined);
      expect(decoded(await hands.secret('dev-secret'))).toBe('first');
    });

    it('defect 15: adopts what the original made for it, and gives it an owner that Kubernetes understands', async () => {
      await hands.putSecret('dev-secret', 'first');
      await hands.bind();
      const uid = await hands.create('dev', hands.at('dev-dtc'));
      const made = await world.cluster.create(managedEnvironments, {
        metadata: {
          namespace: hands.namespace,
          name: 'managed-environment-dev',
          ownerReferences: [
            { apiVersion: 'managed-gitops.redhat.com/v1alpha1', kind: 'Environment', name: 'dev', uid },
          ],
        },
        spec: { apiURL: 'https://old.example', clusterCredentialsSecret: 'old', createNewServiceAccount: true },
      });
      await hands.settle();

      const managed = await hands.managed('dev');
      expect(managed?.metadata).toMatchObject({
        uid: made.metadata.uid,
        ownerReferences: [{ apiVersion: 'appstudio.redhat.com/v1alpha1', uid, controller: true }],
      });
      expect(managed?.spec).toMatchObject({
        apiURL: nowhere,
        credentialsSecret: 'managed-environment-secret-dev',
        createNewServiceAccount: false,
      });
    });

    it('leaves a managed environment of somebody else alone, says that the name is taken, and goes on when it is free', async () => {
      await hands.putSecret('dev-secret', 'first');
      await hands.bind();
      const key = { namespace: hands.namespace, name: 'managed-environment-dev' };
      await world.cluster.create(managedEnvironments, {
        metadata: key,
        spec: { apiURL: nowhere, credentialsSecret: 'mine' },
      });
      await hands.create('dev', hands.at('dev-dtc'));
      await hands.settle();
      expect((await hands.managed('dev'))?.spec.credentialsSecret).toBe('mine');
      expect((await hands.conditions('dev'))['Reconciled']).toMatch(/^False\/NameTaken\//);

      await world.cluster.remove(managedEnvironments, key);
      await hands.settle();
      expect((await hands.managed('dev'))?.spec.credentialsSecret).toBe('managed-environment-secret-dev');
      expect((await hands.conditions('dev'))['Reconciled']).toBe('True/NameTakenResolved/');
    });

    it('writes nothing where nothing changed', async () => {
      await bound();
      await world.wake();
      await hands.settle();

      world.connection.asked.length = 0;
      hands.knock('dev');
      await hands.settle();
      expect(world.connection.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
      expect(world.connection.asked.length).toBeGreaterThan(0);
    });
  });
}
