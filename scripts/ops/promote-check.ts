import {
  applications,
  environments,
  type ObjectKind,
  promotionRuns,
  snapshots,
} from '../../shared/contracts/kubernetes/kinds.ts';
import { graphEnvironmentOf } from '../../shared/contracts/promotions.ts';
import { isObjectName, withSuffix } from '../../shared/domain/core/object-name.ts';
import { findObstacle } from '../../shared/domain/promotion/choose-environments.ts';
import { isOurs } from '../../shared/domain/promotion/is-ours.ts';
import type { GraphEnvironment } from '../../shared/domain/promotion/promotion.ts';
import type { Cluster, ObjectKey } from '../../shared/ports/cluster.ts';
import { listAll } from '../../shared/runtime/list-all.ts';
import type { Context } from './context.ts';
import { Exit, exits } from './exit.ts';
import { expectNamespace } from './expect-namespace.ts';

/** As many names as an error can carry. */
const mostNames = 12;

/**
 * Everything that would make a promotion fail at its first step is said before it is made: the service would say the same in
 * a condition, a moment later.
 */
export async function checkPromotion(
  context: Context,
  { namespace, name }: ObjectKey,
  snapshot: string,
  target: string,
): Promise<readonly GraphEnvironment[]> {
  const { local } = context.world().clusters;
  for (const [option, value] of [
    ['--snapshot', snapshot],
    ['--to', target],
  ] as const)
    if (!isObjectName(value)) throw new Exit(exits.wrongUsage, `${option} "${value}" is no name of an object.`);
  const [application, found, graph] = await Promise.all([
    local.read(applications, { namespace, name }),
    local.read(snapshots, { namespace, name: snapshot }),
    listEnvironments(local, namespace),
  ]);
  if (application === undefined) {
    await expectNamespace(context, namespace);
    const others = namesInWords(await listNames(local, applications, namespace));
    throw new Exit(exits.notFound, `There is no Application ${namespace}/${name}. Applications there: ${others}.`);
  }
  const { deploymentController } = application.spec;
  if (application.metadata.deletionTimestamp !== undefined)
    throw new Exit(exits.failed, `Application ${namespace}/${name} is being deleted: nothing new is begun with it.`);
  if (!isOurs(deploymentController))
    throw new Exit(
      exits.failed,
      `Application ${namespace}/${name} is promoted by ${deploymentController}: its spec.deploymentController says so. Promote with that, or take the field away.`,
    );
  const own = `npm run ops -- snapshots ${namespace}/${name}`;
  if (found === undefined)
    throw new Exit(exits.notFound, `There is no Snapshot ${namespace}/${snapshot}. Those of ${name}: ${own}`);
  if (found.spec.application !== '' && found.spec.application !== name)
    throw new Exit(
      exits.failed,
      `Snapshot ${namespace}/${snapshot} belongs to application ${found.spec.application}, not to ${name}. Those of ${name}: ${own}`,
    );
  if (found.spec.components.length === 0)
    throw new Exit(exits.failed, `Snapshot ${namespace}/${snapshot} names no component: there is nothing to promote.`);
  const obstacle = findObstacle({ goal: { kind: 'manual', target } }, graph);
  if (obstacle?.reason === 'EnvironmentNotFound')
    throw new Exit(
      exits.notFound,
      `There is no Environment ${namespace}/${target}. Environments there: ${namesInWords(graph.map((one) => one.name))}.`,
    );
  if (obstacle !== undefined) throw new Exit(exits.failed, `${obstacle.message}.`);
  return graph;
}

/** A name for a run that tells what it is for. */
export async function chooseRunName(
  { world, newId }: Pick<Context, 'world' | 'newId'>,
  { namespace, name }: { readonly namespace: string; readonly name: string | undefined },
  snapshot: string,
  target: string,
): Promise<string> {
  // Others make names of this one.
  if (name === undefined) return withSuffix(`${snapshot}-to-${target}`, `-${newId().slice(0, 6)}`, 200);
  if (!isObjectName(name)) throw new Exit(exits.wrongUsage, `--name "${name}" is no name of an object.`);
  if ((await world().clusters.local.read(promotionRuns, { namespace, name })) === undefined) return name;
  throw new Exit(
    exits.failed,
    `PromotionRun ${namespace}/${name} is there already: choose another --name, or leave it out. How it is doing: npm run ops -- explain PromotionRun ${namespace}/${name}`,
  );
}

export async function listEnvironments(cluster: Cluster, namespace: string): Promise<readonly GraphEnvironment[]> {
  return (await listAll(cluster, environments, { namespace })).map(graphEnvironmentOf);
}

async function listNames(
  cluster: Cluster,
  kind: ObjectKind<typeof applications.Schema>,
  namespace: string,
): Promise<readonly string[]> {
  return (await listAll(cluster, kind, { namespace })).map(({ metadata }) => metadata.name);
}

function namesInWords(names: readonly string[]): string {
  const sorted = names.toSorted();
  const more = sorted.length > mostNames ? `, and ${sorted.length - mostNames} more` : '';
  return `${sorted.slice(0, mostNames).join(', ') || 'none'}${more}`;
}
