import { Chain, type Link } from './chain.ts';
import type { Message } from './message.ts';

/** The messages of one message group. Messages without a group share one lane. */
export interface Lane extends Link<Lane> {
  readonly group: string;
  readonly ready: Chain<Message>;
  inFlight: number;
  ring: 'none' | 'fresh' | 'served';
}

/**
 * Hands out the ready messages of a queue, lane by lane.
 *
 * On a standard queue every turn takes one message of one lane. A lane that had nothing to give waits in `fresh` and is
 * served before those with a backlog, which take turns in `served`. A fresh lane goes to `served` after its turn even
 * when it is empty, so that sending one message at a time is no way to stay in front.
 *
 * On a FIFO queue a turn takes all it can of one lane, and a lane with a message in flight gives nothing.
 */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();
  private readonly fresh = new Chain<Lane>();
  private readonly served = new Chain<Lane>();
  private readonly fifo: boolean;

  constructor(fifo: boolean) {
    this.fifo = fifo;
  }

  laneOf(message: Message): Lane {
    const group = message.group ?? '';
    let lane = this.lanes.get(group);
    if (lane === undefined) {
      lane = { group, ready: new Chain(), inFlight: 0, ring: 'none', before: undefined, after: undefined };
      this.lanes.set(group, lane);
    }
    return lane;
  }

  add(lane: Lane, message: Message): void {
    if (this.fifo) insertInOrder(lane.ready, message);
    else lane.ready.push(message);
    this.enter(lane);
  }

  remove(lane: Lane, message: Message): void {
    lane.ready.remove(message);
    this.tidy(lane);
  }

  flew(lane: Lane): void {
    lane.inFlight += 1;
    if (this.fifo) this.leave(lane);
  }

  landed(lane: Lane): void {
    lane.inFlight -= 1;
    this.enter(lane);
    this.tidy(lane);
  }

  /** Takes up to `max` messages out of their lanes. */
  take(max: number): Message[] {
    const taken: Message[] = [];
    while (taken.length < max) {
      const lane = this.fresh.first ?? this.served.first;
      if (lane === undefined) break;
      this.leave(lane);
      let message = lane.ready.shift();
      if (message === undefined) {
        this.tidy(lane);
        continue;
      }
      taken.push(message);
      while (this.fifo && taken.length < max) {
        message = lane.ready.shift();
        if (message === undefined) break;
        taken.push(message);
      }
      this.served.push(lane);
      lane.ring = 'served';
    }
    return taken;
  }

  private enter(lane: Lane): void {
    if (lane.ring !== 'none' || lane.ready.size === 0) return;
    if (this.fifo && lane.inFlight > 0) return;
    this.fresh.push(lane);
    lane.ring = 'fresh';
  }

  private leave(lane: Lane): void {
    if (lane.ring === 'none') return;
    this[lane.ring].remove(lane);
    lane.ring = 'none';
  }

  /** Forgets a lane of which nothing is left, so that groups of the past cost no memory. */
  private tidy(lane: Lane): void {
    if (lane.ready.size > 0 || lane.inFlight > 0 || lane.ring !== 'none') return;
    this.lanes.delete(lane.group);
  }
}

/** A message that comes back goes before the later ones of its group; it is nearly always the first. */
function insertInOrder(ready: Chain<Message>, message: Message): void {
  const isLatest = ready.last === undefined || ready.last.seq < message.seq;
  let mark = isLatest ? undefined : ready.first;
  while (mark !== undefined && mark.seq < message.seq) mark = mark.after;
  if (mark === undefined) ready.push(message);
  else ready.insertBefore(message, mark);
}
