import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claims, spaceRequests, targets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { annotations, labels } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import type { SpaceRequest } from '../../../../shared/contracts/kubernetes/space-request.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { openProvisioningScene, type ProvisioningScene, playSpaces } from './provisioning-scene.ts';

const name = 'staging-dtc';

/** What becomes of things that were made for a claim which did not stay. */
export function describeOrphans(open: () => Promise<GitOpsWorld>): void {
  describe('what was made for a claim that did not stay', () => {
    let world: GitOpsWorld;
    let giveBack: () => void;
    let scene: ProvisioningScene;

    beforeAll(async () => {
      world = await open();
      giveBack = playSpaces(world);
    });
    afterAll(async () => {
      giveBack();
      await world.close();
    });
    beforeEach(async () => {
      scene = await openProvisioningScene(world);
    });

    /** Of a claim that nobody has seen go. Without a class: as the original service made it. */
    async function makeOrphan(className?: string, given: Readonly<Record<string, string>> = {}): Promise<SpaceRequest> {
      const uid = { [annotations.claimUid.key]: randomUUID() };
      return world.cluster.create(spaceRequests, {
        metadata: {
          namespace: scene.namespace,
          generateName: `${name}-`,
          labels: { [labels.claim]: name, ...given },
          annotations: className === undefined ? {} : { ...uid, [annotations.claimClass.key]: className },
        },
        spec: { tierName: 'appstudio-env' },
      });
    }

    async function isGoing(): Promise<boolean> {
      return (await scene.request()).metadata.deletionTimestamp !== undefined;
    }

    it('Q26 AQ-07 goes where its class says Delete', async () => {
      await makeOrphan(await scene.makeClass());
      await world.settle();

      expect(await isGoing()).toBe(true);
      await scene.terminate();
      expect(await scene.requests()).toEqual([]);
    });

    it('AQ-08 stays where its class says Retain, and the ledger says why', async () => {
      const { metadata } = await makeOrphan(await scene.makeClass({ reclaimPolicy: 'Retain' }));
      await world.settle();

      expect(await isGoing()).toBe(false);
      expect(await keptInLedger()).toContainEqual({ do: 'keep-orphan', name: metadata.name, why: 'Retain' });
    });

    it('AQ-09 AQ-02 stays where its class is gone', async () => {
      const { metadata } = await makeOrphan('no-such-class');
      await world.settle();

      expect(await isGoing()).toBe(false);
      expect(await keptInLedger()).toContainEqual({ do: 'keep-orphan', name: metadata.name, why: 'ClassNotFound' });
    });

    it('stays where it does not say which class asked for it and the classes do not agree', async () => {
      await scene.makeClass();
      await scene.makeClass({ reclaimPolicy: 'Retain' });
      await makeOrphan();

      await world.settle();

      expect(await isGoing()).toBe(false);
    });

    it('AQ-03 Q23 is nobody’s business where it names no claim', async () => {
      await world.cluster.create(spaceRequests, {
        metadata: { namespace: scene.namespace, name: 'their-own' },
        spec: { tierName: 'appstudio-env' },
      });
      await world.settle();

      expect(await isGoing()).toBe(false);
      expect(world.queue.buried).toEqual([]);
    });

    it('stays while the target that it names is there', async () => {
      const className = await scene.makeClass();
      const spec = {
        deploymentTargetClassName: className,
        kubernetesCredentials: { defaultNamespace: 'n', apiURL: 'https://a.example', clusterCredentialsSecret: 's' },
      };
      const { namespace } = scene;
      await world.cluster.create(targets, { metadata: { namespace, name: 'by-label' }, spec });
      await makeOrphan(className, { [labels.target]: 'by-label' });

      await scene.look('target.requested.v1', name);

      expect(await isGoing()).toBe(false);
    });

    it('AQ-07 goes although a new claim has the same name, which gets one of its own', async () => {
      const className = await scene.makeClass();
      const before = await makeOrphan(className);

      await scene.makeClaim(className);
      await scene.terminate();

      const { metadata } = await scene.request();
      expect(metadata.name).not.toBe(before.metadata.name);
      expect(metadata.deletionTimestamp).toBeUndefined();
    });

    it('goes before the claim goes, where the claim is deleted before it was served', async () => {
      await scene.makeClaim(await scene.makeClass());
      const key = { namespace: scene.namespace, name };

      await world.cluster.remove(claims, key);
      await scene.look('target.requested.v1', name);
      const during = await isGoing();
      await scene.terminate();
      await world.settle();

      expect(during).toBe(true);
      expect(await scene.requests()).toEqual([]);
      expect(await scene.claim()).toBeUndefined();
    });

    it('goes with its target, where the claim is deleted before it was bound', async () => {
      await scene.makeProvisioned(await scene.makeClass());

      await world.cluster.remove(claims, { namespace: scene.namespace, name });
      await world.settle();
      await scene.terminate();

      expect(await scene.targets()).toEqual([]);
      expect(await scene.requests()).toEqual([]);
      expect(await scene.claim()).toBeUndefined();
    });

    it('goes where the claim found another target in the meantime', async () => {
      const className = await scene.makeClass();
      await scene.makeClaim(className);
      const { namespace } = scene;
      const claim = await scene.claim();
      await world.cluster.create(targets, {
        metadata: { namespace, name: 'by-hand' },
        spec: {
          deploymentTargetClassName: className,
          kubernetesCredentials: { defaultNamespace: 'n', apiURL: 'https://a.example', clusterCredentialsSecret: 's' },
          claimRef: { name, uid: claim?.uid },
        },
      });
      await world.settle();
      await world.cluster.patch(
        claims,
        { namespace, name },
        {
          metadata: { annotations: { [annotations.bindComplete.key]: 'true' } },
          spec: { targetName: 'by-hand' },
        },
      );

      await scene.look('target.requested.v1', name);
      await scene.terminate();

      expect(await scene.requests()).toEqual([]);
      expect((await scene.targets()).map((target) => target.name)).toEqual(['by-hand']);
    });

    async function keptInLedger(): Promise<unknown[]> {
      const rows = await world.sql<{ action: string; details: object }[]>`
        select action, details from ledger where subject = ${`${scene.namespace}/${name}`}`;
      return rows.map(({ action, details }) => ({ do: action, ...details }));
    }
  });
}
