import { operations } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Operation } from '../../shared/contracts/kubernetes/operation.ts';
import type { Subject } from '../../shared/domain/core/subject.ts';
import { operationSubject, readOperationSubject } from '../../shared/domain/gitops/names.ts';
import type { ObservedOperation, OperationSight } from '../../shared/domain/gitops/operation.ts';
import type { Cluster } from '../../shared/ports/cluster.ts';
import { Refused } from '../../shared/ports/trouble.ts';
import { lookAround, type Surroundings } from './look-around.ts';
import type { Seen, Services } from './sight.ts';

const nothing: Surroundings = {
  pieces: [],
  leaving: [],
  writings: new Map(),
  applications: new Map(),
};

/** A knock from the queue names the resource, an Operation object names the operation. */
export async function observe(subject: Subject, services: Services, signal: AbortSignal): Promise<Seen | undefined> {
  const asked = readOperationSubject(subject.name);
  if (asked !== undefined) {
    const sight = await services.rows.observe({ ...asked, namespace: subject.namespace });
    return sight === undefined ? undefined : complete(sight, subject.namespace, undefined, services, signal);
  }

  const { clusters, rows } = services;
  const object = await clusters.local.read(operations, subject, { signal, atLeast: subject.version });
  if (object === undefined) return doneByAgent(subject.name, services);
  const named = await rows.find(object.spec.operationID);
  if (named === undefined) return { kind: 'stray', object, verdict: 'unknown' };
  // It works in the namespace of its Argo CD alone: in any other, it may be a tenant's.
  if (named.engineNamespace !== object.metadata.namespace) return { kind: 'stray', object, verdict: 'misplaced' };
  if (named.ended) return { kind: 'stray', object, verdict: 'ended' };
  const sight = await rows.observe(named);
  return sight === undefined ? undefined : complete(sight, named.namespace, object, services, signal);
}

/** The object is gone, or is one of a cluster that only an agent works in. The row says whether the agent is done. */
async function doneByAgent(objectName: string, { rows }: Services): Promise<Seen | undefined> {
  const named = await rows.find(objectName.replace(/^operation-/, ''));
  if (named === undefined || !named.byAgent || !named.ended) return undefined;
  return { kind: 'done-by-agent', subject: operationSubject(named.namespace, named.type, named.resourceId) };
}

async function complete(
  sight: OperationSight,
  namespace: string,
  object: Operation | undefined,
  services: Services,
  signal: AbortSignal,
): Promise<Seen> {
  const { engine, operations: open, elsewhere, failedBefore, apiName, resource, resourceId, tenant } = sight;
  const cluster = reach(sight, object, services);
  const handedOver = engine.transport === 'agent' && object === undefined;
  const engineState = handedOver ? 'ready' : await services.engines.check(cluster, engine, signal);
  const found = handedOver || engineState !== 'ready' ? nothing : await lookOrTell(sight, cluster, services, signal);
  const problem = services.memory.refused ?? found.problem;
  const observed: ObservedOperation = {
    namespace: tenant?.namespace ?? namespace,
    type: resource.type,
    resourceId,
    operations: open,
    elsewhere,
    failedBefore,
    apiName,
    engine,
    engineState,
    object: object?.metadata.name,
    problem,
    gone: resource.row === undefined,
    needed: neededStill(sight),
    dependents: sight.dependents,
    pieces: found.pieces,
    leaving: found.leaving,
    ...(found.sync !== undefined && { sync: found.sync }),
  };
  return { kind: 'operation', sight, observed, cluster, object, ...found };
}

/** A deployment may go after its environment, or before it: either way its Application has to go first. */
function neededStill({ resource, resourceId, tenant }: OperationSight): ObservedOperation['needed'] {
  if (resource.type !== 'ManagedEnvironment' || resource.row !== undefined || tenant === undefined) return false;
  if (tenant.deployedTo.includes(resourceId)) return 'deployed-to';
  return tenant.leaving ? 'leaving' : false;
}

/** What cannot be read will not be read next time either: somebody has to be told. */
async function lookOrTell(
  sight: OperationSight,
  cluster: Cluster,
  services: Services,
  signal: AbortSignal,
): Promise<Surroundings> {
  try {
    return await lookAround(sight, cluster, services, signal);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { ...nothing, problem: error.forUser };
  }
}

/** An Operation object is one of our own cluster, so its Argo CD has to be there, too. */
function reach({ engine }: OperationSight, object: Operation | undefined, { clusters }: Services): Cluster {
  if (engine.local || object !== undefined) return clusters.local;
  const { host, certificateAuthority, insecure } = engine;
  return clusters.at({ server: host, token: engine.token() ?? '', certificateAuthority, insecure });
}
