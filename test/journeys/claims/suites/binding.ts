import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Transient } from '../../../../shared/ports/trouble.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { type ClaimScene, marks, openClaimScene } from './claim-scene.ts';

export function describeBinding(open: () => Promise<GitOpsWorld>): void {
  describe('a claim and its target', () => {
    let world: GitOpsWorld;
    let scene: ClaimScene;

    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world?.close());
    beforeEach(async () => {
      scene = await openClaimScene(world);
    });

    async function expectBound(claim: string, target: string): Promise<void> {
      const found = await scene.claim(claim);
      expect(found).toMatchObject({ phase: 'Bound', targetName: target, isBindComplete: true, isHeld: true });
      expect(await scene.target(target)).toMatchObject({ phase: 'Bound', claim: { name: claim, uid: found?.uid } });
      expect(await scene.condition(claim, 'Bound')).toMatchObject({ status: 'True', reason: 'Bound' });
    }

    it('AC-06 AC-17 AC-31 a free target is bound, by both pointers, and marked as chosen by the binder', async () => {
      await scene.createTarget('t1');
      await world.settle();

      await scene.createClaim('web');
      await world.settle();

      await expectBound('web', 't1');
      expect(await scene.annotations('web')).toEqual({ [marks.complete]: 'true', [marks.byController]: 'true' });
      expect(await scene.waiting('web')).toBeUndefined();
    });

    it('AC-10 AC-33 a free target that was named is bound, and not marked as chosen', async () => {
      await scene.createTarget('t1');
      await scene.createTarget('t2');
      await scene.createClaim('web', { target: 't2' });
      await world.settle();

      await expectBound('web', 't2');
      expect(await scene.annotations('web')).toEqual({ [marks.complete]: 'true' });
    });

    it('AC-09 a person brings a cluster: target and claim name each other', async () => {
      await scene.createTarget('mine', { claim: { name: 'web' } });
      await scene.createClaim('web', { target: 'mine' });
      await world.settle();

      await expectBound('web', 'mine');
    });

    it('AC-16 a target that was made for the claim is bound though the claim does not name it', async () => {
      const className = await scene.createClass('own');
      const { uid } = await scene.createClaim('web', { className });
      await world.settle();
      await scene.createTarget('web-dt', {
        className,
        claim: { name: 'web', uid },
        provisionedBy: 'example.com/somebody',
      });
      await world.settle();

      await expectBound('web', 'web-dt');
      expect(await scene.annotations('web')).toMatchObject({ [marks.provisioner]: 'example.com/somebody' });
    });

    it('the smallest target that is enough goes first, and arch counts', async () => {
      await scene.createTarget('large', { cpu: '8', arch: 'amd64' });
      await scene.createTarget('small', { cpu: '500m', arch: 'amd64' });
      await scene.createTarget('right', { cpu: '2', arch: 'amd64' });
      await scene.createTarget('strange', { cpu: '1', arch: 'arm64' });
      await world.settle();

      await scene.createClaim('web', { cpu: '1', arch: 'amd64' });
      await world.settle();

      await expectBound('web', 'right');
    });

    it('AC-41 AC-02 a claim that says it is bound, without saying to what, finds the target that names it', async () => {
      await scene.createTarget('t1', { claim: { name: 'web' } });
      await world.settle();
      await scene.createClaim('web', { annotations: { [marks.complete]: 'true' } });
      await world.settle();

      await expectBound('web', 't1');
    });

    it('AC-13 AC-02 bound by the original service, which wrote no claimRef, it gets its second pointer', async () => {
      await scene.createTarget('t1');
      await scene.createClaim('web', { target: 't1', annotations: { [marks.complete]: 'yes' } });
      await world.settle();

      await expectBound('web', 't1');
    });

    it('AC-04 the mark of a bound claim is that of its class; without a class it goes', async () => {
      const className = await scene.createClass('own');
      await scene.createTarget('t1', { className, claim: { name: 'web' } });
      await scene.createTarget('t2', { claim: { name: 'api' } });
      await scene.createClaim('web', { className, target: 't1', annotations: { [marks.provisioner]: 'wrong' } });
      await scene.createClaim('api', { target: 't2', annotations: { [marks.provisioner]: 'wrong' } });
      await world.settle();

      expect(await scene.annotations('web')).toMatchObject({ [marks.provisioner]: 'example.com/somebody' });
      expect(await scene.annotations('api')).not.toHaveProperty(marks.provisioner);
    });

    it('ten claims and ten targets make ten pairs', async () => {
      const numbers = Array.from({ length: 10 }, (_, index) => index);
      for (const number of numbers) await scene.createTarget(`t${number}`);
      for (const number of numbers) await scene.createClaim(`c${number}`);
      await world.settle();

      const found = await Promise.all(numbers.map((number) => scene.claim(`c${number}`)));
      expect(new Set(found.map((claim) => claim?.targetName)).size).toBe(10);
      for (const claim of found) await expectBound(claim?.name ?? '', claim?.targetName ?? '');
    });

    it('a binding costs one look at the target and four writes', async () => {
      await scene.createTarget('t1');
      await world.settle();
      await scene.createClaim('web');
      world.connection.asked.splice(0);

      await world.functions
        .get('bind-claim')
        ?.rehearse({ namespace: scene.namespace, name: 'web' }, { now: Date.now() }, world.machine);

      expect(
        world.connection.asked.map(({ method, path }) => `${method} ${path.split('/').slice(-2).join('/')}`),
      ).toEqual(['GET deploymenttargetclaims/web', 'GET deploymenttargets/t1']);
      world.connection.asked.splice(0);
      await world.settle();
      const writes = world.connection.asked.filter(({ method }) => method !== 'GET');
      expect(writes.map(({ method, path }) => `${method} ${path.split('/').slice(6).join('/')}`)).toEqual([
        'PATCH deploymenttargets/t1',
        'PATCH deploymenttargetclaims/web',
        'PATCH deploymenttargets/t1/status',
        'PATCH deploymenttargetclaims/web/status',
      ]);
    });

    it('a second look writes nothing', async () => {
      await scene.createTarget('t1');
      await scene.createClaim('web');
      await world.settle();
      world.connection.asked.splice(0);

      scene.look('web');
      const ran = await world.settle();

      expect(ran.find((one) => one.function === 'bind-claim')?.outcome).toMatchObject({ next: 'settled', effects: 0 });
      expect(world.connection.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
    });

    it.each([1, 2, 3, 4])(
      'defect 40 killed after write %d, the binding is finished by the next look',
      async (deadly) => {
        await scene.createTarget('free-later', { cpu: '4' });
        await scene.createTarget('t1');
        await world.settle();
        await scene.createClaim('web');
        let writes = 0;
        world.connection.trouble = ({ method }, when) => {
          if (method !== 'PATCH' || when === 'before') return undefined;
          writes += 1;
          return writes === deadly ? new Transient('cluster', 'killed') : undefined;
        };

        await world.settle();
        world.connection.trouble = undefined;
        await world.wake();
        await world.settle();

        await expectBound('web', 't1');
        expect(await scene.target('free-later')).toMatchObject({ claim: undefined, phase: 'Available' });
      },
    );
  });
}
