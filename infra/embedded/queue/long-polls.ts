import { Chain, type Link } from './chain.ts';
import type { Message } from './message.ts';
import type { Queue } from './queue.ts';

/** A receive that waits for messages. */
interface Poll extends Link<Poll> {
  readonly queue: Queue;
  readonly max: number;
  readonly visibilitySeconds: number;
  /** Whether somebody is still there to take the answer. */
  readonly isOpen: () => boolean;
  readonly answer: (messages: readonly Message[]) => void;
  timer: NodeJS.Timeout | undefined;
}

type PollRequest = Pick<Poll, 'queue' | 'max' | 'visibilitySeconds' | 'isOpen' | 'answer'>;

interface Source {
  readonly now: () => number;
  refresh(queue: Queue): void;
  receive(queue: Queue, max: number, visibilitySeconds: number): Message[];
}

interface Waiting {
  readonly polls: Chain<Poll>;
  /** Wakes the polls when the next message becomes visible by itself. */
  alarm: NodeJS.Timeout | undefined;
}

/**
 * The receives that wait. They are served at the end of a turn of the event loop, after every connection has been
 * read: one that the client closed is known to be closed by then, and gets nothing.
 */
export class LongPolls {
  private readonly source: Source;
  private readonly waiting = new Map<Queue, Waiting>();
  private readonly woken = new Set<Queue>();

  constructor(source: Source) {
    this.source = source;
  }

  /** Starts to wait; returns how to stop. */
  wait(request: PollRequest, milliseconds: number): () => void {
    const poll: Poll = { ...request, timer: undefined, before: undefined, after: undefined };
    let waiting = this.waiting.get(poll.queue);
    if (waiting === undefined) {
      waiting = { polls: new Chain(), alarm: undefined };
      this.waiting.set(poll.queue, waiting);
    }
    waiting.polls.push(poll);
    poll.timer = setTimeout(() => this.end(poll), milliseconds);
    this.setAlarm(poll.queue, waiting);
    return () => this.leave(poll);
  }

  /** Says that there may be something for those who wait on this queue. */
  wake(queue: Queue): void {
    if (this.waiting.has(queue)) this.woken.add(queue);
  }

  serve(): void {
    if (this.woken.size === 0) return;
    const queues = [...this.woken];
    this.woken.clear();
    for (const queue of queues) this.serveQueue(queue);
  }

  /** Ends all waiting on a queue that is no more. */
  abandon(queue: Queue): void {
    const waiting = this.waiting.get(queue);
    for (let poll = waiting?.polls.first; poll !== undefined; poll = waiting?.polls.first) this.end(poll);
  }

  abandonAll(): void {
    for (const queue of [...this.waiting.keys()]) this.abandon(queue);
  }

  private serveQueue(queue: Queue): void {
    const waiting = this.waiting.get(queue);
    if (waiting === undefined) return;
    this.source.refresh(queue);
    let poll = waiting.polls.first;
    while (poll !== undefined && queue.ready > 0) {
      const next: Poll | undefined = poll.after;
      if (!poll.isOpen()) this.leave(poll);
      else {
        const messages = this.source.receive(queue, poll.max, poll.visibilitySeconds);
        if (messages.length === 0) break;
        this.leave(poll);
        poll.answer(messages);
      }
      poll = next;
    }
    if (waiting.polls.size > 0) this.setAlarm(queue, waiting);
  }

  private end(poll: Poll): void {
    if (this.leave(poll)) poll.answer([]);
  }

  private leave(poll: Poll): boolean {
    const waiting = this.waiting.get(poll.queue);
    if (waiting === undefined || poll.timer === undefined) return false;
    clearTimeout(poll.timer);
    poll.timer = undefined;
    waiting.polls.remove(poll);
    if (waiting.polls.size === 0) {
      clearTimeout(waiting.alarm);
      this.waiting.delete(poll.queue);
    }
    return true;
  }

  private setAlarm(queue: Queue, waiting: Waiting): void {
    clearTimeout(waiting.alarm);
    waiting.alarm = undefined;
    const due = queue.nextDue;
    if (due === undefined) return;
    waiting.alarm = setTimeout(
      () => {
        this.woken.add(queue);
        this.serve();
      },
      Math.max(1, due - this.source.now()),
    );
  }
}
