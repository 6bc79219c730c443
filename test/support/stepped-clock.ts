import type { Clock } from '../../infra/embedded/kubernetes/clock.ts';

/** Time that only moves when a test says so. */
export class SteppedClock implements Clock {
  private time: number;
  private readonly timers = new Set<{ readonly at: number; readonly run: () => void }>();

  constructor(start = '2026-11-16T10:00:00Z') {
    this.time = Date.parse(start);
  }

  now(): number {
    return this.time;
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.time + milliseconds, run };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  /** How many wait. */
  get pending(): number {
    return this.timers.size;
  }

  /** Goes forward and runs what is due, in order. */
  advance(milliseconds: number): void {
    this.time += milliseconds;
    for (let due = this.firstUntil(this.time); due !== undefined; due = this.firstUntil(this.time)) {
      this.timers.delete(due);
      due.run();
    }
  }

  /** Goes forward from one timer to the next, and lets promises that are ready go on in between. */
  async step(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds;
    await settle();
    for (let due = this.firstUntil(end); due !== undefined; due = this.firstUntil(end)) {
      this.timers.delete(due);
      this.time = Math.max(this.time, due.at);
      due.run();
      await settle();
    }
    this.time = end;
  }

  private firstUntil(end: number): { readonly at: number; readonly run: () => void } | undefined {
    const due = [...this.timers].filter(({ at }) => at <= end);
    return due.sort((one, other) => one.at - other.at)[0];
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}
