import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { loadFunctions } from '../../infra/host/load-functions.ts';
import { readMap } from '../../infra/map.ts';
import type { Context } from '../../scripts/ops/context.ts';
import { openOperatorLedger } from '../../shared/adapters/postgres/operator-ledger.ts';
import { openPromotionReader } from '../../shared/adapters/postgres/promotions/promotion-reader.ts';
import { openStepReader } from '../../shared/adapters/postgres/step-reader.ts';
import { applications, environments, promotionRuns, snapshots } from '../../shared/contracts/kubernetes/kinds.ts';
import { interests } from '../../shared/domain/core/interest.ts';
import type { ObjectKey } from '../../shared/ports/cluster.ts';
import type { GitOpsWorld } from '../support/gitops-world.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** An operator who promotes, in a world where functions run only when a test asks for it. */
export function openPromotionContext(world: GitOpsWorld) {
  const map = readMap();
  const plans: string[] = [];
  const clock = { aheadMs: 0 };
  const parts: Partial<Context> = {
    reader: openStepReader(world.sql),
    ledger: openOperatorLedger(world.sql),
    promotions: openPromotionReader(world.sql),
    map,
    routes: world.machine.routes,
    interests,
    world: () => world.world,
    async functionOf(name) {
      const { functions } = await loadFunctions(
        map.functions.filter((entry) => entry.name === name),
        root,
      );
      const door = functions.get(name);
      if (door === undefined) throw new Error(`there is no function ${name}`);
      return door;
    },
    now: () => Date.now() + clock.aheadMs,
    newId: randomUUID,
    who: 'olga',
    approve: async (plan) => {
      plans.push(plan);
    },
  };
  return {
    context: parts as Context,
    /** What the operator was asked to agree to. */
    plans,
    clock,
  };
}

/** An application with `s1`, and `dev`, behind it `staging`, and behind that `prod-1` (automated) and `prod-2`. */
export async function aShop(world: GitOpsWorld, but: { readonly controller?: string } = {}): Promise<string> {
  const { name: namespace } = await world.namespace();
  const { cluster } = world;
  const deploymentController = but.controller ?? '';
  await cluster.create(applications, {
    metadata: { namespace, name: 'shop' },
    spec: { displayName: 'shop', deploymentController },
  });
  for (const [name, application] of [
    ['s1', 'shop'],
    ['of-bank', 'bank'],
    ['empty', 'shop'],
  ] as const)
    await cluster.create(snapshots, {
      metadata: { namespace, name },
      spec: {
        application,
        components: name === 'empty' ? [] : [{ name: 'web', containerImage: 'quay.io/shop/web:1' }],
      },
    });
  for (const [name, parentEnvironment, deploymentStrategy, controller] of [
    ['dev', '', 'AppStudioAutomated', ''],
    ['staging', 'dev', 'Manual', ''],
    ['prod-1', 'staging', 'AppStudioAutomated', ''],
    ['prod-2', 'prod-1', 'Manual', ''],
    ['foreign', 'dev', 'Manual', 'spinnaker'],
  ] as const)
    await cluster.create(environments, {
      metadata: { namespace, name },
      spec: { displayName: name, parentEnvironment, deploymentStrategy, deploymentController: controller },
    });
  return namespace;
}

/** A run says that the one after it was refused, as the service does when the API server takes none. */
export async function refuseFollower({ cluster }: GitOpsWorld, run: ObjectKey, message: string): Promise<void> {
  const lastTransitionTime = '2026-01-01T10:00:00Z';
  const condition = { type: 'AutomatedPromotion', status: 'False', reason: 'Refused', message, lastTransitionTime };
  const status = { state: 'Completed', completionResult: 'Success', conditions: [condition] };
  await cluster.patch(promotionRuns, run, { status }, { subresource: 'status' });
}
