import type { ApiObject } from '../../api-object.ts';
import { instant } from '../../clock.ts';
import type { StoreEvent } from '../../internal-api.ts';
import { fieldsAt, listAt, numberAt, textAt } from '../../kinds/rules/fields.ts';
import { controllerUser } from '../../user.ts';
import { type Controller, type ControllerParts, isBeingDeleted, keyOf, objectKey } from '../controller.ts';
import { ignoreMissing } from '../ignore-missing.ts';
import type { WorkQueue } from '../work-queue.ts';
import { pretendsToFail } from './pretend-node.ts';

const user = controllerUser('job-controller');
const storage = 'jobs.batch';

/**
 * Reports a Job as done, or as failed where its template asks for that. No pod is made: nothing would run in it, and what
 * waits for the Job only wants to know how it ended.
 */
export class Jobs implements Controller {
  private readonly parts: ControllerParts;
  private readonly queue: WorkQueue;

  constructor(parts: ControllerParts) {
    this.parts = parts;
    this.queue = parts.queue('job', (key) => this.sync(key));
  }

  observe({ type, storage: changed, object }: StoreEvent): void {
    if (changed === storage && type !== 'DELETED') this.queue.add(keyOf(object));
  }

  private async sync(key: string): Promise<void> {
    const { api, clock } = this.parts;
    const job = api.read.get(objectKey(storage, key));
    if (job === undefined || isBeingDeleted(job) || hasEnded(job)) return;
    if (fieldsAt(job, 'spec')['suspend'] === true) return;
    const now = instant(clock.now());
    const status = pretendsToFail(fieldsAt(job, 'spec', 'template')) ? failed(job, now) : succeeded(job, now);
    await ignoreMissing(api.update(user, { ...job, status }, 'status'));
  }
}

function hasEnded(job: ApiObject): boolean {
  return listAt(job, 'status', 'conditions').some((one) => ['Complete', 'Failed'].includes(textAt(one, 'type')));
}

function succeeded(job: ApiObject, now: string): object {
  const message = 'Reached expected number of succeeded pods';
  return {
    startTime: now,
    completionTime: now,
    succeeded: numberAt(job, 'spec', 'completions') || 1,
    ready: 0,
    terminating: 0,
    uncountedTerminatedPods: {},
    conditions: ['SuccessCriteriaMet', 'Complete'].map((type) => condition(type, 'CompletionsReached', message, now)),
  };
}

function failed(job: ApiObject, now: string): object {
  const message = 'Job has reached the specified backoff limit';
  return {
    startTime: now,
    failed: numberAt(job, 'spec', 'backoffLimit') + 1,
    ready: 0,
    terminating: 0,
    uncountedTerminatedPods: {},
    conditions: ['FailureTarget', 'Failed'].map((type) => condition(type, 'BackoffLimitExceeded', message, now)),
  };
}

function condition(type: string, reason: string, message: string, now: string): object {
  return { type, status: 'True', lastProbeTime: now, lastTransitionTime: now, reason, message };
}
