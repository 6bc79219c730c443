import type { Clock } from '../../../../infra/embedded/kubernetes/clock.ts';

/** Time that only moves when a test says so. */
export class SteppedClock implements Clock {
  private time: number;
  private timers: { readonly at: number; readonly run: () => void }[] = [];

  constructor(start: string) {
    this.time = Date.parse(start);
  }

  now(): number {
    return this.time;
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.time + milliseconds, run };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((one) => one !== timer);
    };
  }

  advance(milliseconds: number): void {
    this.time += milliseconds;
    const due = this.timers.filter(({ at }) => at <= this.time).sort((left, right) => left.at - right.at);
    this.timers = this.timers.filter((timer) => !due.includes(timer));
    for (const { run } of due) run();
  }
}
