interface Container {
  readonly name: string;
  readonly image: string;
}

/** As much of a pod as a kubelet would look at. */
export interface Pod {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    readonly deletionTimestamp?: string;
  };
  readonly spec: {
    readonly nodeName?: string;
    readonly restartPolicy: 'Always' | 'OnFailure' | 'Never';
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
  };
  readonly status?: { readonly phase?: string };
}

/** Running and Ready, as a kubelet reports it. */
export function runningStatus(pod: Pod, at: string, address: string): object {
  return {
    phase: 'Running',
    conditions: conditions(at, { ready: true }),
    startTime: at,
    hostIP: '127.0.0.1',
    hostIPs: [{ ip: '127.0.0.1' }],
    podIP: address,
    podIPs: [{ ip: address }],
    initContainerStatuses: endedContainers(pod.spec.initContainers ?? [], at),
    containerStatuses: pod.spec.containers.map((container) => ({
      ...identityOf(container),
      ready: true,
      started: true,
      state: { running: { startedAt: at } },
    })),
  };
}

/** Ended with success, as a kubelet reports it of a pod that is not started again. */
export function completedStatus(pod: Pod, at: string): object {
  return {
    phase: 'Succeeded',
    conditions: conditions(at, { ready: false, reason: 'PodCompleted' }),
    startTime: at,
    hostIP: '127.0.0.1',
    initContainerStatuses: endedContainers(pod.spec.initContainers ?? [], at),
    containerStatuses: endedContainers(pod.spec.containers, at),
  };
}

function conditions(at: string, { ready, reason }: { ready: boolean; reason?: string }): object[] {
  const readiness = { status: ready ? 'True' : 'False', ...(reason !== undefined && { reason }) };
  return [
    { type: 'PodScheduled', status: 'True', lastTransitionTime: at },
    { type: 'Initialized', status: 'True', lastTransitionTime: at },
    { type: 'ContainersReady', ...readiness, lastTransitionTime: at },
    { type: 'Ready', ...readiness, lastTransitionTime: at },
  ];
}

function endedContainers(containers: readonly Container[], at: string): object[] {
  return containers.map((container) => ({
    ...identityOf(container),
    ready: false,
    started: false,
    state: { terminated: { exitCode: 0, reason: 'Completed', startedAt: at, finishedAt: at } },
  }));
}

function identityOf({ name, image }: Container): object {
  return { name, image, imageID: image, containerID: `stand-in://${name}`, restartCount: 0 };
}
