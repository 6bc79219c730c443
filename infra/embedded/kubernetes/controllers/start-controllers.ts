import type { Clock } from '../clock.ts';
import type { InternalApi } from '../internal-api.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import type { Controller, ControllerParts } from './controller.ts';
import { DefinitionCleanup } from './definition-cleanup.ts';
import { GarbageCollector } from './garbage-collector.ts';
import { Namespaces } from './namespaces.ts';
import { ServiceAccounts } from './service-accounts.ts';
import { type SignToken, TokenSecrets } from './token-secrets.ts';
import { type ControllerLine, WorkQueue } from './work-queue.ts';
import { Deployments } from './workloads/deployments.ts';
import { Jobs } from './workloads/jobs.ts';
import { PretendNode } from './workloads/pretend-node.ts';
import { ReplicaSets } from './workloads/replica-sets.ts';
import { StatefulSets } from './workloads/stateful-sets.ts';

interface ControllersOptions {
  readonly api: InternalApi;
  readonly clock: Clock;
  kinds(): readonly ServedKind[];
  /** PEM of the certificate that the API server is checked against. */
  readonly rootCa: string;
  readonly signToken: SignToken;
  readonly log: (line: ControllerLine) => void;
}

export interface Controllers {
  stop(): Promise<void>;
  /** Resolves when no controller has anything to do now; what waits for a time to come does not count. */
  idle(): Promise<void>;
}

const workers = 8;

/** Starts everything that keeps the cluster in order. Each controller sees every object once, then every change. */
export function startControllers({ api, clock, kinds, rootCa, signToken, log }: ControllersOptions): Controllers {
  const queues: WorkQueue[] = [];
  let waiters: (() => void)[] = [];

  function isResting(): boolean {
    return queues.every((queue) => queue.isIdle());
  }

  function wakeWaiters(): void {
    if (waiters.length === 0 || !isResting()) return;
    const woken = waiters;
    waiters = [];
    for (const wake of woken) wake();
  }

  const parts: ControllerParts = {
    api,
    clock,
    kinds,
    queue(name, run) {
      const queue = new WorkQueue({ name, clock, workers, run, log, onRest: wakeWaiters });
      queues.push(queue);
      return queue;
    },
  };
  const controllers: readonly Controller[] = [
    new GarbageCollector(parts),
    new Namespaces(parts),
    new ServiceAccounts(parts, rootCa),
    new TokenSecrets(parts, rootCa, signToken),
    new DefinitionCleanup(parts),
    new Deployments(parts),
    new ReplicaSets(parts),
    new StatefulSets(parts),
    new Jobs(parts),
    new PretendNode(parts),
  ];

  const unsubscribe = api.read.subscribe((event) => {
    for (const controller of controllers) controller.observe(event);
  });
  for (const storage of api.read.storages()) {
    for (const object of api.read.list(storage)) {
      const event = { type: 'ADDED', storage, revision: 0, object } as const;
      for (const controller of controllers) controller.observe(event);
    }
  }

  function idle(): Promise<void> {
    return isResting() ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve));
  }

  return {
    idle,
    async stop() {
      unsubscribe();
      for (const queue of queues) queue.stop();
      await idle();
    },
  };
}
