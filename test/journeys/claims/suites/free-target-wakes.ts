import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { openTargetScene, type TargetScene } from './target-scene.ts';

/** Defect 18 of the reference: there, a target that comes after the claim is not noticed. */
export function describeFreeTargetWakes(open: () => Promise<GitOpsWorld>): void {
  describe('a claim that waits for a target', () => {
    let world: GitOpsWorld;
    let scene: TargetScene;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world?.close());
    beforeEach(async () => {
      scene = await openTargetScene(world);
    });

    async function boundTo(claim: string): Promise<string | undefined> {
      const found = await scene.claim(claim);
      return found?.phase === 'Bound' ? found.targetName : undefined;
    }

    it('AC-18 gets one that is made later, without anybody touching the claim', async () => {
      await scene.makeClaim('dtc');
      await world.settle();
      expect(await scene.claim('dtc')).toMatchObject({ phase: 'Pending', isBindComplete: false });

      await scene.makeTarget('late');
      await world.settle();

      const { uid } = (await scene.claim('dtc')) ?? {};
      expect(await boundTo('dtc')).toBe('late');
      expect(await scene.target('late')).toMatchObject({ phase: 'Bound', claim: { name: 'dtc', uid } });
    });

    it('AC-35 gets the one that it names when that is made, though another one fits', async () => {
      await scene.makeClaim('dtc', { targetName: 'wanted' });
      await scene.makeTarget('other');
      await world.settle();
      expect(await boundTo('dtc')).toBeUndefined();

      await scene.makeTarget('wanted');
      await world.settle();

      expect(await boundTo('dtc')).toBe('wanted');
      expect((await scene.target('other'))?.phase).toBe('Available');
    });

    it('AC-34 gets the one that is made for it', async () => {
      await scene.makeClaim('dtc');
      await scene.makeClaim('older-and-not-meant');
      await world.settle();

      await scene.makeTarget('made', { claimRef: { name: 'dtc' } });
      await world.settle();

      expect(await boundTo('dtc')).toBe('made');
      expect(await boundTo('older-and-not-meant')).toBeUndefined();
    });

    it('gets one that has been there and can be reached at last', async () => {
      const nowhere = { defaultNamespace: '', apiURL: '', clusterCredentialsSecret: '' };
      await scene.makeTarget('bare', { access: nowhere });
      await scene.makeClaim('dtc');
      await world.settle();
      expect(await boundTo('dtc')).toBeUndefined();

      await scene.patchTarget('bare', { spec: { kubernetesCredentials: { apiURL: 'https://cluster.example' } } });
      await world.settle();

      expect(await boundTo('dtc')).toBe('bare');
    });

    it('gets one that grew, or that is no longer kept for a person', async () => {
      await scene.makeTarget('small', { resources: { requests: { cpu: '1' } } });
      await scene.makeTarget('kept', { resources: { requests: { cpu: '9' } }, claimRef: { name: 'nobody' } });
      await scene.makeClaim('one', { resources: { requests: { cpu: '2' } } });
      await scene.makeClaim('two', { resources: { requests: { cpu: '2' } } });
      await world.settle();

      await scene.patchTarget('small', { spec: { resources: { requests: { cpu: '2' } } } });
      await world.settle();
      await scene.patchTarget('kept', { spec: { claimRef: null } });
      await world.settle();

      expect([await boundTo('one'), await boundTo('two')]).toEqual(['small', 'kept']);
    });

    it('AC-36 is left alone by a target that is not for it', async () => {
      await scene.makeClaim('dtc', { arch: 'arm64' });
      await scene.makeClaim('large', { resources: { limits: { storage: '1Gi' } } });
      await world.settle();

      await scene.makeTarget('other-kind', { arch: 'amd64' });
      await scene.makeTarget('of-a-class', { className: 'some-class', arch: 'arm64' });
      const ran = await world.settle();

      expect([await boundTo('dtc'), await boundTo('large')]).toEqual([undefined, undefined]);
      expect(ran.filter(({ function: name }) => name === 'bind-claim')).toEqual([]);
    });

    it('is not left behind where many wait and many targets come at once', async () => {
      const names = Array.from({ length: 9 }, (_, index) => `c${index}`);
      for (const name of names) await scene.makeClaim(name);
      await world.settle();

      for (const name of names) await scene.makeTarget(`t${name}`);
      await world.settle();

      const bound = await Promise.all(names.map(boundTo));
      expect(bound.toSorted()).toEqual(names.map((name) => `t${name}`));
    });
  });
}
