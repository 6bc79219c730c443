import type { ApiObject } from '../api-object.ts';
import { fieldsAt, listAt, numberAt, textAt, valueAt } from '../kinds/rules/fields.ts';
import { age, hasTrueCondition, orElse, type RowPrinter, since } from './row-printer.ts';

interface Progress {
  reason: string;
  ready: number;
  restarts: number;
  lastRestart: string;
}

export const podRow: RowPrinter = {
  columns: [
    'Name:string:name',
    'Ready',
    'Status',
    'Restarts',
    'Age',
    '+IP',
    '+Node',
    '+Nominated Node',
    '+Readiness Gates',
  ],
  cells: (pod, now) => {
    const { reason, ready, restarts, lastRestart } = progressOf(pod);
    const total =
      listAt(pod, 'spec', 'containers').length + listAt(pod, 'spec', 'initContainers').filter(isSidecar).length;
    const ago = restarts > 0 && lastRestart !== '' ? ` (${since(lastRestart, now)} ago)` : '';
    return [
      pod.metadata.name,
      `${ready}/${total}`,
      reason,
      `${restarts}${ago}`,
      age(pod, now),
      orElse(textAt(listAt(pod, 'status', 'podIPs')[0], 'ip'), '<none>'),
      orElse(textAt(pod, 'spec', 'nodeName'), '<none>'),
      orElse(textAt(pod, 'status', 'nominatedNodeName'), '<none>'),
      readinessGates(pod),
    ];
  },
};

/** Marks that `kubectl get` and `kubectl wait` read on the row of a pod that has ended. */
export function podRowConditions(pod: ApiObject): readonly unknown[] | undefined {
  const phase = textAt(pod, 'status', 'phase');
  if (phase !== 'Succeeded' && phase !== 'Failed') return undefined;
  const message = phase === 'Succeeded' ? 'The pod has completed successfully.' : 'The pod failed.';
  return [{ type: 'Completed', status: 'True', reason: phase, message }];
}

function isSidecar(container: unknown): boolean {
  return textAt(container, 'restartPolicy') === 'Always';
}

function readinessGates(pod: ApiObject): string {
  const gates = listAt(pod, 'spec', 'readinessGates');
  if (gates.length === 0) return '<none>';
  const open = gates.filter((gate) => hasTrueCondition(pod, textAt(gate, 'conditionType')));
  return `${open.length}/${gates.length}`;
}

function progressOf(pod: ApiObject): Progress {
  const progress: Progress = {
    reason: textAt(pod, 'status', 'reason') || textAt(pod, 'status', 'phase'),
    ready: 0,
    restarts: 0,
    lastRestart: '',
  };
  const conditions = listAt(pod, 'status', 'conditions');
  if (conditions.some((one) => textAt(one, 'type') === 'PodScheduled' && textAt(one, 'reason') === 'SchedulingGated')) {
    progress.reason = 'SchedulingGated';
  }
  const sidecars: Progress = { ...progress };
  const isInitializing = readInitContainers(pod, progress, sidecars);
  if (!isInitializing || hasTrueCondition(pod, 'Initialized')) {
    progress.restarts = sidecars.restarts;
    progress.lastRestart = sidecars.lastRestart;
    readContainers(pod, progress);
  }
  if (pod.metadata.deletionTimestamp !== undefined) {
    if (textAt(pod, 'status', 'reason') === 'NodeLost') progress.reason = 'Unknown';
    else if (!['Succeeded', 'Failed'].includes(textAt(pod, 'status', 'phase'))) progress.reason = 'Terminating';
  }
  return progress;
}

function countRestarts(container: unknown, progress: Progress): void {
  progress.restarts += numberAt(container, 'restartCount');
  const finished = textAt(container, 'lastState', 'terminated', 'finishedAt');
  if (finished > progress.lastRestart) progress.lastRestart = finished;
}

function terminationReason(terminated: Record<string, unknown>): string {
  const reason = textAt(terminated, 'reason');
  if (reason !== '') return reason;
  const signal = numberAt(terminated, 'signal');
  return signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode')}` : `Signal:${signal}`;
}

/** Whether the pod still stands before its first container. */
function readInitContainers(pod: ApiObject, progress: Progress, sidecars: Progress): boolean {
  const specs = listAt(pod, 'spec', 'initContainers');
  for (const [index, container] of listAt(pod, 'status', 'initContainerStatuses').entries()) {
    const spec = specs.find((one) => textAt(one, 'name') === textAt(container, 'name'));
    countRestarts(container, progress);
    if (isSidecar(spec)) countRestarts(container, sidecars);
    const state = fieldsAt(container, 'state');
    const hasTerminated = state['terminated'] !== undefined;
    if (hasTerminated && numberAt(state, 'terminated', 'exitCode') === 0) continue;
    if (isSidecar(spec) && valueAt(container, 'started') === true) {
      if (valueAt(container, 'ready') === true) progress.ready += 1;
      continue;
    }
    const waiting = textAt(state, 'waiting', 'reason');
    if (hasTerminated) progress.reason = `Init:${terminationReason(fieldsAt(state, 'terminated'))}`;
    else if (waiting !== '' && waiting !== 'PodInitializing') progress.reason = `Init:${waiting}`;
    else progress.reason = `Init:${index}/${specs.length}`;
    return true;
  }
  return false;
}

function readContainers(pod: ApiObject, progress: Progress): void {
  let hasRunning = false;
  let failure = '';
  for (const container of listAt(pod, 'status', 'containerStatuses').toReversed()) {
    countRestarts(container, progress);
    const state = fieldsAt(container, 'state');
    const waiting = textAt(state, 'waiting', 'reason');
    if (waiting !== '') progress.reason = waiting;
    else if (state['terminated'] !== undefined) {
      progress.reason = terminationReason(fieldsAt(state, 'terminated'));
      if (numberAt(state, 'terminated', 'exitCode') !== 0) failure = progress.reason;
    } else if (valueAt(container, 'ready') === true && state['running'] !== undefined) {
      hasRunning = true;
      progress.ready += 1;
    }
  }
  if (progress.reason !== 'Completed') return;
  if (hasRunning && hasTrueCondition(pod, 'Ready')) progress.reason = 'Running';
  else if (failure !== '') progress.reason = failure;
  else if (hasRunning) progress.reason = 'NotReady';
}
