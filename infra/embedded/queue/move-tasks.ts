import { randomUUID } from 'node:crypto';
import type { Broker } from './broker.ts';
import { type Input, optionalInteger, optionalText, requiredText } from './input.ts';
import type { MoveTaskRow } from './journal-entry.ts';
import { type Message, toRow } from './message.ts';
import type { Queue } from './queue.ts';
import { type Action, sourcesOf } from './queue-actions.ts';
import { arnOf, nameOfArn } from './queue-settings.ts';
import { SqsError } from './sqs-error.ts';

const TickMs = 20;
/** Moved per tick when the caller sets no rate: quick, and small enough not to hold up other callers. */
const PerTick = 200;
/** SQS lists the ten latest tasks of a queue; older ones are forgotten. */
const Listed = 10;

/** Moves dead letters back to where they came from, in the background, a little at a time. */
export class MoveTasks {
  private readonly broker: Broker;
  private timer: NodeJS.Timeout | undefined;

  constructor(broker: Broker) {
    this.broker = broker;
    if (this.running().length > 0) this.schedule();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  actions(): Record<string, Action> {
    return {
      StartMessageMoveTask: (input) => ({ TaskHandle: this.start(input) }),
      CancelMessageMoveTask: (input) => this.cancel(requiredText(input, 'TaskHandle')),
      ListMessageMoveTasks: (input) => {
        const source = this.existing(requiredText(input, 'SourceArn')).name;
        const max = optionalInteger(input, 'MaxResults', 1, Listed) ?? 1;
        return { Results: this.ofSource(source).slice(0, max).map(present) };
      },
    };
  }

  private start(input: Input): string {
    const source = this.existing(requiredText(input, 'SourceArn'));
    const destinationArn = optionalText(input, 'DestinationArn');
    const destination = destinationArn === undefined ? undefined : this.existing(destinationArn).name;
    const perSecond = optionalInteger(input, 'MaxNumberOfMessagesPerSecond', 1, 500);
    if (sourcesOf(this.broker, source.name).length === 0) {
      throw new SqsError('InvalidParameterValue', 'Source queue must be configured as a Dead Letter Queue.');
    }
    if (this.running().some((task) => task.source === source.name)) {
      throw new SqsError(
        'UnsupportedOperation',
        'There is already a task running. Only one active task is allowed for a source queue arn at a given time.',
      );
    }
    const task: MoveTaskRow = {
      id: randomUUID(),
      source: source.name,
      destination,
      perSecond,
      startedAt: this.broker.now(),
      toMove: source.ready,
      moved: 0,
      status: 'RUNNING',
    };
    for (const old of this.ofSource(source.name).slice(Listed - 1)) this.broker.tasks.delete(old.id);
    this.broker.recordTask(task);
    this.schedule();
    return task.id;
  }

  private cancel(id: string): object {
    const task = this.broker.tasks.get(id);
    if (task === undefined) throw new SqsError('ResourceNotFoundException', 'Task does not exist.');
    if (task.status !== 'RUNNING') throw new SqsError('UnsupportedOperation', 'Only active tasks can be cancelled.');
    this.broker.recordTask({ ...task, status: 'CANCELLED' });
    return { ApproximateNumberOfMessagesMoved: task.moved };
  }

  private running(): MoveTaskRow[] {
    return [...this.broker.tasks.values()].filter((task) => task.status === 'RUNNING');
  }

  /** The latest first. */
  private ofSource(source: string): MoveTaskRow[] {
    return [...this.broker.tasks.values()].filter((task) => task.source === source).reverse();
  }

  private existing(arn: string): Queue {
    const queue = this.broker.queues.get(nameOfArn(arn) ?? '');
    if (queue === undefined) {
      throw new SqsError(
        'ResourceNotFoundException',
        `The resource that you specified for the ARN ${arn.slice(0, 200)} doesn't exist.`,
      );
    }
    this.broker.refresh(queue);
    return queue;
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      for (const task of this.running()) {
        const after = this.tick(task);
        if (after.moved !== task.moved || after.status !== task.status) this.broker.recordTask(after);
      }
      if (this.running().length > 0) this.schedule();
    }, TickMs);
  }

  private tick(task: MoveTaskRow): MoveTaskRow {
    const source = this.broker.queues.get(task.source);
    if (source === undefined) return { ...task, status: 'FAILED', failure: 'AWS.SimpleQueueService.NonExistentQueue' };
    this.broker.refresh(source);
    const elapsed = this.broker.now() - task.startedAt;
    const allowed = task.perSecond === undefined ? PerTick : Math.floor((elapsed * task.perSecond) / 1000) - task.moved;
    const left = task.toMove - task.moved;
    const messages = source.take(Math.max(0, Math.min(PerTick, allowed, left)));
    let moved = task.moved;
    for (const [index, message] of messages.entries()) {
      const target = this.broker.queues.get(task.destination ?? message.deadFrom ?? '');
      if (target === undefined) {
        // Nowhere to go: this one and the rest stay where they were.
        for (const rest of messages.slice(index)) source.place(rest, this.broker.now());
        return { ...task, moved, status: 'FAILED', failure: 'CouldNotDetermineMessageSource' };
      }
      this.move(source, target, message);
      moved += 1;
    }
    const done = moved >= task.toMove || source.ready === 0;
    return { ...task, moved, status: done ? 'COMPLETED' : 'RUNNING' };
  }

  /** A message that is moved back is a new message: new id, new age, no receives. */
  private move(source: Queue, target: Queue, message: Message): void {
    const { body, bodyMd5, attributes, attributesMd5, traceHeader, group, deduplicationId } = toRow(message);
    this.broker.put(target, { body, bodyMd5, attributes, attributesMd5, traceHeader, group, deduplicationId }, 0);
    this.broker.drop(source, [message]);
  }
}

function present(task: MoveTaskRow): object {
  return {
    ...(task.status === 'RUNNING' ? { TaskHandle: task.id } : {}),
    Status: task.status,
    SourceArn: arnOf(task.source),
    ...(task.destination === undefined ? {} : { DestinationArn: arnOf(task.destination) }),
    ...(task.perSecond === undefined ? {} : { MaxNumberOfMessagesPerSecond: task.perSecond }),
    ApproximateNumberOfMessagesMoved: task.moved,
    ApproximateNumberOfMessagesToMove: task.toMove,
    ...(task.failure === undefined ? {} : { FailureReason: task.failure }),
    StartedTimestamp: task.startedAt,
  };
}
