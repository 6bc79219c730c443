import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AnySchema,
  claims,
  environments,
  type ObjectKind,
  secrets,
  spaceRequests,
  targets,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { listObjects } from '../../../support/list-objects.ts';
import { until } from '../../../support/until.ts';
import { writtenRows } from '../../../support/written-rows.ts';
import { later, runPass } from '../../gitops/suites/drift-pass.ts';
import { openEnvironmentHands } from './environments-world.ts';
import { openProvisioningScene, type ProvisioningScene } from './provisioning-scene.ts';

interface Phased {
  readonly status?: { readonly phase?: string };
}

/** Every kind with everything that is said about it, by whom it may come. */
const knocked: readonly [type: string, kind: ObjectKind][] = [
  ['claim.changed.v1', claims],
  ['target.requested.v1', claims],
  ['target.changed.v1', targets],
  ['target.released.v1', targets],
  ['space-request.changed.v1', spaceRequests],
  ['environment.changed.v1', environments],
  ['secret.changed.v1', secrets],
];

export function describeQuietClaims(open: () => Promise<GitOpsWorld>): void {
  describe('a second look at all claims, targets and environments where nothing has changed', () => {
    let world: GitOpsWorld;
    let tenants: readonly string[];
    beforeAll(async () => {
      world = await open();
      tenants = await openTenants(world);
    });
    afterAll(() => world?.close());

    async function writesOf(act: () => Promise<unknown>) {
      const before = await writtenRows(world.sql);
      world.connection.asked.splice(0);
      await act();
      const requests = world.connection.asked.filter(({ method }) => method !== 'GET');
      const looks = world.connection.asked.length;
      return { requests, looks, before, after: await writtenRows(world.sql) };
    }

    it('is a look at something: claims, targets and environments in every state there is', async () => {
      const phases = async (kind: ObjectKind) => {
        const all = await Promise.all(
          tenants.map((namespace) => listObjects<AnySchema>(world.cluster, kind, namespace)),
        );
        return [...new Set((all.flat() as Phased[]).map(({ status }) => status?.phase))].toSorted();
      };

      expect(await phases(claims)).toEqual(['Bound', 'Lost', 'Pending']);
      expect(await phases(targets)).toEqual(['Available', 'Bound', 'Pending', 'Released']);
      expect(world.queue.buried).toEqual([]);
    });

    it('writes nothing to Kubernetes and to the rows when everybody knocks for everything', async () => {
      const { requests, looks, before, after } = await writesOf(async () => {
        for (const namespace of tenants)
          for (const [type, kind] of knocked)
            for (const name of await namesOf(kind, namespace)) world.knock(type, { namespace, name });
        const ran = await world.settle();
        expect(new Set(ran.map((one) => one.function))).toEqual(
          new Set([
            'bind-claim',
            'bind-target',
            'forward-binding',
            'forward-secret',
            'provision-space',
            'provision-target',
            'reclaim-target',
            'reconcile-environment',
            'reconcile-managed-environment',
          ]),
        );
        expect(ran.filter(({ outcome }) => outcome.kind === 'stepped' && outcome.effects > 0)).toEqual([]);
      });

      expect(requests).toEqual([]);
      expect(after).toEqual(before);
      expect(looks).toBeGreaterThan(20);
    });

    it('writes nothing when everything that waits for a time has its time', async () => {
      const { requests, looks, before, after } = await writesOf(async () => {
        await world.wake();
        await world.settle();
      });

      expect(requests).toEqual([]);
      expect(after).toEqual(before);
      expect(looks).toBeGreaterThan(5);
    });

    it('writes nothing when a whole drift pass and a clean-up go over it, hours later', async () => {
      const { requests, before, after } = await writesOf(async () => {
        const { findings } = await runPass(world, { ahead: later });
        expect(findings.filter(({ subject }) => tenants.some((name) => subject.includes(name)))).toEqual([]);
        await world.settle();
        await world.schedule('collect-garbage');
        await world.settle();
      });

      expect(requests).toEqual([]);
      expect(after).toEqual(before);
    });

    async function namesOf(kind: ObjectKind, namespace: string): Promise<string[]> {
      const found = (await listObjects(world.cluster, kind, namespace)) as { metadata: { name: string } }[];
      return found.map(({ metadata }) => metadata.name);
    }
  });
}

/** Tenants with claims, targets and environments in every state that lasts. Returns their namespaces. */
async function openTenants(world: GitOpsWorld): Promise<readonly string[]> {
  const made = await openProvisioningScene(world);
  const [deletes, retains] = [await made.makeClass(), await made.makeClass({ reclaimPolicy: 'Retain' })];
  await claim(world, made.namespace, 'made', deletes, { annotations: { 'stagecoach.dev/ttl': '72h' } });
  await claim(world, made.namespace, 'kept', retains);
  await environment(world, made.namespace, 'dev', 'made');
  await environment(world, made.namespace, 'stage', 'kept', 'dev');
  await untilPhase(world, made, 'made', 'Bound');
  await untilPhase(world, made, 'kept', 'Bound');
  await world.cluster.remove(claims, { namespace: made.namespace, name: 'kept' });

  const hands = await openEnvironmentHands(world);
  const { namespace } = hands;
  await hands.putSecret('dev-secret', 'first');
  await hands.bind();
  await hands.create('dev', hands.at('dev-dtc'));
  await hands.create('circle', { parentEnvironment: 'circle' });
  await hands.create('orphan', { parentEnvironment: 'nobody', ...hands.at('nobody') });
  await target(world, namespace, 'bare', { defaultNamespace: '', apiURL: '', clusterCredentialsSecret: '' });
  await target(world, namespace, 'free', { clusterCredentialsSecret: 'not-there' }, 'a-class-of-nobody');
  await target(world, namespace, 'gone', { clusterCredentialsSecret: 'not-there' });
  await claim(world, namespace, 'lost', '', { target: 'gone' });
  await world.settle();
  await world.cluster.remove(targets, { namespace, name: 'gone' });
  await world.settle();
  await claim(world, namespace, 'waits', '');
  await claim(world, namespace, 'asks', 'no-such-class');
  await claim(world, namespace, 'asks-others', await made.makeClass({ provisioner: 'else.example/where' }));
  await claim(world, namespace, 'wants', '', { target: 'not-there' });
  await world.settle();
  await world.wake();
  await world.settle();
  return [made.namespace, namespace];
}

async function untilPhase(world: GitOpsWorld, scene: ProvisioningScene, name: string, phase: string): Promise<void> {
  await until(
    `${name} to be ${phase}`,
    async () => {
      await world.settle();
      if ((await scene.claim(name))?.phase === phase) return true;
      await world.wake();
      return false;
    },
    50_000,
  );
}

async function claim(
  world: GitOpsWorld,
  namespace: string,
  name: string,
  className: string,
  { target: targetName, annotations }: { target?: string; annotations?: Readonly<Record<string, string>> } = {},
): Promise<void> {
  await world.cluster.create(claims, {
    metadata: { namespace, name, ...(annotations !== undefined && { annotations }) },
    spec: { deploymentTargetClassName: className, ...(targetName !== undefined && { targetName }) },
  });
}

async function target(
  world: GitOpsWorld,
  namespace: string,
  name: string,
  access: object,
  deploymentTargetClassName = '',
): Promise<void> {
  const kubernetesCredentials = {
    defaultNamespace: 'there',
    apiURL: 'https://127.0.0.1:1',
    allowInsecureSkipTLSVerify: false,
    ...access,
  };
  await world.cluster.create(targets, {
    metadata: { namespace, name },
    spec: { deploymentTargetClassName, kubernetesCredentials },
  });
}

async function environment(
  world: GitOpsWorld,
  namespace: string,
  name: string,
  claimName: string,
  parentEnvironment = '',
): Promise<void> {
  await world.cluster.create(environments, {
    metadata: { namespace, name },
    spec: {
      displayName: name,
      deploymentStrategy: 'AppStudioAutomated',
      parentEnvironment,
      configuration: { target: { deploymentTargetClaim: { claimName } } },
    },
  });
}
