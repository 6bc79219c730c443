import type { Clock } from '../clock.ts';
import { StatusError } from '../status-error.ts';

export interface ControllerLine {
  readonly level: 'debug' | 'warn' | 'error';
  readonly msg: string;
  readonly controller: string;
  readonly key: string;
  readonly error?: string;
}

interface WorkQueueOptions {
  readonly name: string;
  readonly clock: Clock;
  /** How many keys are worked on at a time. */
  readonly workers: number;
  /** Brings what the key names into order. Runs again for a key that was added meanwhile. */
  readonly run: (key: string) => Promise<void>;
  readonly log: (line: ControllerLine) => void;
  /** Called whenever the queue may have become idle. */
  readonly onRest: () => void;
}

const firstDelay = 5;
const longestDelay = 30_000;

/** Keys waiting for their turn. A key stands in it once, is never worked on twice at a time, and comes back after a failure. */
export class WorkQueue {
  private readonly options: WorkQueueOptions;
  private readonly waiting = new Set<string>();
  private readonly running = new Set<string>();
  private readonly failures = new Map<string, number>();
  private readonly timers = new Map<string, () => void>();
  private isStopped = false;
  private isScheduled = false;

  constructor(options: WorkQueueOptions) {
    this.options = options;
  }

  add(key: string): void {
    if (this.isStopped) return;
    this.waiting.add(key);
    this.schedule();
  }

  /** Comes back to a key later, unless it is added before. A later wish replaces an earlier one. */
  addAfter(key: string, milliseconds: number): void {
    if (this.isStopped) return;
    this.timers.get(key)?.();
    const cancel = this.options.clock.after(milliseconds, () => {
      this.timers.delete(key);
      this.add(key);
    });
    this.timers.set(key, cancel);
  }

  /** Whether nothing is to be done now. What waits for a time to come does not count. */
  isIdle(): boolean {
    return this.waiting.size === 0 && this.running.size === 0;
  }

  stop(): void {
    this.isStopped = true;
    this.waiting.clear();
    for (const cancel of this.timers.values()) cancel();
    this.timers.clear();
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    // Several changes in a row are one reason to look.
    queueMicrotask(() => {
      this.isScheduled = false;
      this.startSome();
    });
  }

  private startSome(): void {
    for (const key of this.waiting) {
      if (this.running.size >= this.options.workers) return;
      if (this.running.has(key)) continue;
      this.waiting.delete(key);
      this.running.add(key);
      void this.work(key);
    }
  }

  private async work(key: string): Promise<void> {
    try {
      await this.options.run(key);
      this.failures.delete(key);
    } catch (error) {
      this.retry(key, error);
    }
    this.running.delete(key);
    if (this.waiting.size > 0) this.startSome();
    else this.options.onRest();
  }

  private retry(key: string, error: unknown): void {
    if (this.isStopped) return;
    const attempt = this.failures.get(key) ?? 0;
    this.failures.set(key, attempt + 1);
    const isConflict = error instanceof StatusError && error.status.code === 409;
    const { name, log } = this.options;
    const text = error instanceof Error ? error.message : String(error);
    const level = isConflict ? 'debug' : 'warn';
    log({ level, msg: 'a controller will try again', controller: name, key, error: text });
    // Somebody else wrote first: the next look sees what they wrote.
    if (isConflict && attempt === 0) this.waiting.add(key);
    else this.addAfter(key, Math.min(longestDelay, firstDelay * 2 ** Math.min(attempt, 20)));
  }
}
