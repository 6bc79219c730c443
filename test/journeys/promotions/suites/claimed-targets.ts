import { describe, expect, it } from 'vitest';
import { claims, environments, targets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { ReleaseWorld } from '../../../support/release-world.ts';
import { inPromotionScenes, type TimedScene } from './promotion-scene.ts';

/** Environments whose place comes by a claim: the time of a step runs from when it is there. */
export function describeClaimedTargets(open: () => Promise<ReleaseWorld>): void {
  describe('a promotion to an environment with a claim', () => {
    let scene: TimedScene;
    inPromotionScenes(open, async (fresh) => {
      scene = fresh;
      await scene.shop('web');
      await scene.snapshot('one', { web: 'quay.io/shop/web:1' });
    });

    const key = (name: string) => ({ namespace: scene.namespace, name });

    async function claimed(promotion: object = {}): Promise<void> {
      const configuration = { target: { deploymentTargetClaim: { claimName: 'dev-claim' } } };
      await scene.environment('dev', { strategy: 'Manual', spec: { configuration, promotion } });
      await scene.world.cluster.create(claims, { metadata: key('dev-claim'), spec: { deploymentTargetClassName: '' } });
      await scene.promote('a', 'one', 'dev');
      await scene.settle();
    }

    async function giveTarget(): Promise<void> {
      await scene.world.cluster.create(targets, {
        metadata: key('dev-target'),
        spec: {
          deploymentTargetClassName: '',
          kubernetesCredentials: {
            defaultNamespace: 'team-dev',
            // Nothing answers there, and it says so at once.
            apiURL: 'https://127.0.0.1:1',
            clusterCredentialsSecret: 'dev-secret',
            allowInsecureSkipTLSVerify: false,
          },
        },
      });
      await scene.settle();
    }

    it('waits for its target, and says since when and until when', async () => {
      await claimed();

      expect(await scene.stands('a')).toBe('Active, 1 dev in-progress');
      expect((await scene.told('a', 'dev')).reason).toBe('TargetNotReady');
      expect(await scene.waits('a')).toMatch(/^TargetNotReady for 3600 s: dev: .*dev-claim/);
    });

    it('has its whole time from when the target is ready', async () => {
      await claimed();
      await scene.pass(1_200);
      expect((await scene.told('a', 'dev')).reason).toBe('TargetNotReady');

      await giveTarget();
      await scene.pass(30);

      expect(await scene.stands('a')).toBe('Active, 1 dev in-progress');
      expect((await scene.told('a', 'dev')).reason).not.toBe('TargetNotReady');
      expect(await scene.waits('a')).toMatch(/ for 300 s: /);
      const { waiting } = (await scene.run('a')).status ?? {};
      const { startTime } = await scene.told('a', 'dev');
      expect(Date.parse(waiting?.until ?? '') - Date.parse(startTime ?? '')).toBeGreaterThanOrEqual(1_500_000);

      await scene.pass(200);
      expect(await scene.stands('a')).toBe('Active, 1 dev in-progress');
      await scene.pass(120);
      expect(await scene.stands('a')).toBe('Completed, Failure, 1 dev failed');
    });

    /** It ran in the namespace of the tenant, and is to run somewhere that nobody can reach. */
    async function moved(): Promise<void> {
      await scene.environment('dev', { strategy: 'Manual' });
      await scene.promote('before', 'one', 'dev');
      await scene.settle();
      await scene.deploys('dev');
      expect(await scene.stands('before')).toBe('Completed, Success, 1 dev success');
      await scene.world.cluster.create(claims, { metadata: key('dev-claim'), spec: { deploymentTargetClassName: '' } });
      const configuration = { target: { deploymentTargetClaim: { claimName: 'dev-claim' } } };
      await scene.world.cluster.patch(environments, key('dev'), { spec: { configuration } });
      await scene.settle();
      await giveTarget();
    }

    it('is not proved by what Argo CD says of the place before, whether the snapshot stands there already or is new', async () => {
      await moved();
      await scene.promote('a', 'one', 'dev');
      await scene.settle();
      expect(await scene.stands('a')).toBe('Active, 1 dev in-progress');
      expect(await scene.waits('a')).toMatch(
        /^DeploymentRefused for 300 s: dev: .* see the condition ErrorOccurred of GitOpsDeployment shop-dev-binding-shop-dev-web$/,
      );
      await scene.pass(305);

      await scene.snapshot('two', { web: 'quay.io/shop/web:2' });
      await scene.promote('b', 'two', 'dev');
      await scene.settle();
      await scene.deploys('dev');

      expect(await scene.stands('a')).toBe('Completed, Failure, 1 dev failed');
      expect(await scene.stands('b')).toBe('Active, 1 dev in-progress');
    });

    it('fails when the target does not come in the time that the Environment gives it', async () => {
      await claimed({ targetDeadline: '10m' });
      await scene.pass(590);
      expect(await scene.stands('a')).toBe('Active, 1 dev in-progress');

      await scene.pass(15);

      expect(await scene.stands('a')).toBe('Completed, Failure, 1 dev failed');
      expect(await scene.condition('a', 'Promoted')).toMatch(/^False TargetNotReady: dev: .*dev-claim/);
    });
  });
}
