import type { Health } from '../application.ts';
import { at, gvkOf, isFields, type KubeObject, listAt, numberAt, textAt } from '../kube-object.ts';

const order: readonly Health['status'][] = ['Healthy', 'Suspended', 'Progressing', 'Missing', 'Degraded', 'Unknown'];

export function isWorse(than: Health['status'], status: Health['status']): boolean {
  return order.indexOf(status) > order.indexOf(than);
}

/** The health of a live object; undefined for a kind that has none. */
export function healthOf(object: KubeObject): Health | undefined {
  if (object.metadata.deletionTimestamp !== undefined) return { status: 'Progressing', message: 'Pending deletion' };
  const { group, kind } = gvkOf(object);
  return checks[`${group}/${kind}`]?.(object);
}

const checks: Readonly<Record<string, (object: KubeObject) => Health>> = {
  'apps/Deployment': deployment,
  'apps/StatefulSet': statefulSet,
  'apps/ReplicaSet': replicaSet,
  'apps/DaemonSet': daemonSet,
  '/Service': service,
  'networking.k8s.io/Ingress': ingress,
  '/PersistentVolumeClaim': volumeClaim,
  '/Pod': pod,
  'batch/Job': job,
  'apiextensions.k8s.io/CustomResourceDefinition': definition,
};

function deployment(object: KubeObject): Health {
  const spec = at(object, 'spec');
  const status = at(object, 'status');
  if (at(spec, 'paused') === true) return { status: 'Suspended', message: 'Deployment is paused' };
  if ((object.metadata.generation ?? 0) > (numberAt(status, 'observedGeneration') ?? 0)) {
    return progressing('Waiting for rollout to finish: observed deployment generation less than desired generation');
  }
  if (conditionOf(object, 'Progressing')?.['reason'] === 'ProgressDeadlineExceeded') {
    return { status: 'Degraded', message: `Deployment "${object.metadata.name}" exceeded its progress deadline` };
  }
  const wanted = numberAt(spec, 'replicas');
  const updated = numberAt(status, 'updatedReplicas') ?? 0;
  const all = numberAt(status, 'replicas') ?? 0;
  const available = numberAt(status, 'availableReplicas') ?? 0;
  if (wanted !== undefined && updated < wanted)
    return progressing(`Waiting for rollout to finish: ${updated} out of ${wanted} new replicas have been updated...`);
  if (all > updated)
    return progressing(`Waiting for rollout to finish: ${all - updated} old replicas are pending termination...`);
  if (available < updated)
    return progressing(`Waiting for rollout to finish: ${available} of ${updated} updated replicas are available...`);
  return { status: 'Healthy' };
}

function statefulSet(object: KubeObject): Health {
  const status = at(object, 'status');
  const observed = numberAt(status, 'observedGeneration') ?? 0;
  if (observed === 0 || (object.metadata.generation ?? 0) > observed)
    return progressing('Waiting for statefulset spec update to be observed...');
  const wanted = numberAt(object, 'spec', 'replicas');
  const ready = numberAt(status, 'readyReplicas') ?? 0;
  if (wanted !== undefined && ready < wanted) return progressing(`Waiting for ${wanted - ready} pods to be ready...`);
  const updated = numberAt(status, 'updatedReplicas') ?? 0;
  const strategy = at(object, 'spec', 'updateStrategy');
  if (textAt(strategy, 'type') === 'RollingUpdate' && isFields(at(strategy, 'rollingUpdate'))) {
    const partition = numberAt(strategy, 'rollingUpdate', 'partition');
    if (wanted !== undefined && partition !== undefined && updated < wanted - partition)
      return progressing(
        `Waiting for partitioned roll out to finish: ${updated} out of ${wanted - partition} new pods have been updated...`,
      );
    return healthy(`partitioned roll out complete: ${updated} new pods have been updated...`);
  }
  if (textAt(strategy, 'type') === 'OnDelete') return healthy(`statefulset has ${ready} ready pods`);
  const revision = textAt(status, 'updateRevision');
  if (revision !== textAt(status, 'currentRevision'))
    return progressing(`waiting for statefulset rolling update to complete ${updated} pods at revision ${revision}...`);
  const current = numberAt(status, 'currentReplicas') ?? 0;
  return healthy(`statefulset rolling update complete ${current} pods at revision ${revision}...`);
}

function replicaSet(object: KubeObject): Health {
  const status = at(object, 'status');
  if ((object.metadata.generation ?? 0) > (numberAt(status, 'observedGeneration') ?? 0))
    return progressing('Waiting for rollout to finish: observed replica set generation less than desired generation');
  const failure = conditionOf(object, 'ReplicaFailure');
  if (failure?.['status'] === 'True') return { status: 'Degraded', message: String(failure['message'] ?? '') };
  const wanted = numberAt(object, 'spec', 'replicas');
  const available = numberAt(status, 'availableReplicas') ?? 0;
  if (wanted !== undefined && available < wanted)
    return progressing(`Waiting for rollout to finish: ${available} out of ${wanted} new replicas are available...`);
  return { status: 'Healthy' };
}

function daemonSet(object: KubeObject): Health {
  const status = at(object, 'status');
  if ((object.metadata.generation ?? 0) > (numberAt(status, 'observedGeneration') ?? 0))
    return progressing('Waiting for rollout to finish: observed daemon set generation less than desired generation');
  const wanted = numberAt(status, 'desiredNumberScheduled') ?? 0;
  const updated = numberAt(status, 'updatedNumberScheduled') ?? 0;
  const available = numberAt(status, 'numberAvailable') ?? 0;
  const { name } = object.metadata;
  if (textAt(object, 'spec', 'updateStrategy', 'type') === 'OnDelete')
    return healthy(`daemon set ${updated} out of ${wanted} new pods have been updated`);
  if (updated < wanted)
    return progressing(
      `Waiting for daemon set "${name}" rollout to finish: ${updated} out of ${wanted} new pods have been updated...`,
    );
  if (available < wanted)
    return progressing(
      `Waiting for daemon set "${name}" rollout to finish: ${available} of ${wanted} updated pods are available...`,
    );
  return { status: 'Healthy' };
}

function service(object: KubeObject): Health {
  const balanced = textAt(object, 'spec', 'type') === 'LoadBalancer';
  return { status: balanced && !hasAddress(object) ? 'Progressing' : 'Healthy' };
}

function ingress(object: KubeObject): Health {
  return { status: hasAddress(object) ? 'Healthy' : 'Progressing' };
}

function volumeClaim(object: KubeObject): Health {
  const phases: Readonly<Record<string, Health['status']>> = {
    Lost: 'Degraded',
    Pending: 'Progressing',
    Bound: 'Healthy',
  };
  return { status: phases[textAt(object, 'status', 'phase')] ?? 'Unknown' };
}

function pod(object: KubeObject): Health {
  const message = said(textAt(object, 'status', 'message'));
  const restarts =
    textAt(object, 'spec', 'restartPolicy') !== 'Never' && textAt(object, 'spec', 'restartPolicy') !== 'OnFailure';
  const containers = listAt(object, 'status', 'containerStatuses');
  const stuck = containers
    .map((one) => at(one, 'state', 'waiting'))
    .filter((waiting) => /^Err|Error$|BackOff$/.test(textAt(waiting, 'reason')));
  if (restarts && stuck.length > 0)
    return { status: 'Degraded', ...said(stuck.map((waiting) => textAt(waiting, 'message')).join(', ')) };
  switch (textAt(object, 'status', 'phase')) {
    case 'Pending':
      return { status: 'Progressing', ...message };
    case 'Succeeded':
      return { status: 'Healthy', ...message };
    case 'Failed':
      return { status: 'Degraded', ...message };
    case 'Running':
      if (restarts && conditionOf(object, 'Ready')?.['status'] === 'True') return { status: 'Healthy', ...message };
      if (restarts && containers.some((one) => isFields(at(one, 'lastState', 'terminated'))))
        return { status: 'Degraded', ...message };
      return { status: 'Progressing', ...message };
    default:
      return { status: 'Unknown', ...message };
  }
}

function job(object: KubeObject): Health {
  const failed = conditionOf(object, 'Failed');
  const suspended = conditionOf(object, 'Suspended');
  const complete = conditionOf(object, 'Complete') ?? suspended;
  if (failed !== undefined) return { status: 'Degraded', ...said(textAt(failed, 'message')) };
  if (complete === undefined) return { status: 'Progressing' };
  if (suspended?.['status'] === 'True') return { status: 'Suspended' };
  return { status: 'Healthy', ...said(textAt(complete, 'message')) };
}

function definition(object: KubeObject): Health {
  const names = conditionOf(object, 'NamesAccepted');
  const established = conditionOf(object, 'Established');
  const broken = conditionOf(object, 'NonStructuralSchema');
  if (names === undefined && established === undefined) return progressing('Status conditions not found');
  if (names?.['status'] === 'False')
    return { status: 'Degraded', message: `CRD names have not been accepted: ${textAt(names, 'message')}` };
  if (established?.['status'] !== 'True') {
    if (established?.['reason'] === 'Installing') return progressing('CRD is being installed');
    return { status: 'Degraded', message: 'CRD is not established' };
  }
  if (broken?.['status'] === 'True')
    return { status: 'Degraded', message: `Schema violations found: ${textAt(broken, 'message')}` };
  return healthy('CRD is healthy');
}

function conditionOf(object: KubeObject, type: string): Readonly<Record<string, unknown>> | undefined {
  return listAt(object, 'status', 'conditions')
    .filter(isFields)
    .find((condition) => condition['type'] === type);
}

function hasAddress(object: KubeObject): boolean {
  return listAt(object, 'status', 'loadBalancer', 'ingress').length > 0;
}

function progressing(message: string): Health {
  return { status: 'Progressing', message };
}

function healthy(message: string): Health {
  return { status: 'Healthy', message };
}

function said(message: string): { message?: string } {
  return message === '' ? {} : { message };
}
