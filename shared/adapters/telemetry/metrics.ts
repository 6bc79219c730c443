import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Everything the house counts, each with the question it answers. */
export function openMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
  return {
    registry,
    steps: new Counter({
      name: 'stagecoach_steps_total',
      help: 'Handled messages, by function and outcome',
      labelNames: ['fn', 'outcome'],
      registers,
    }),
    stepSeconds: new Histogram({
      name: 'stagecoach_step_seconds',
      help: 'How long a step takes',
      labelNames: ['fn'],
      buckets: seconds,
      registers,
    }),
    waitSeconds: new Histogram({
      name: 'stagecoach_wait_seconds',
      help: 'How long a message waited for its step',
      labelNames: ['fn'],
      buckets: seconds,
      registers,
    }),
    coalesced: new Counter({
      name: 'stagecoach_coalesced_total',
      help: 'Messages that needed no step of their own',
      labelNames: ['fn'],
      registers,
    }),
    knocks: new Counter({
      name: 'stagecoach_knocks_total',
      help: 'Knocks sent for changes that were seen, by the door they came through',
      labelNames: ['door'],
      registers,
    }),
    webhookRefusals: new Counter({
      name: 'stagecoach_webhook_refusals_total',
      help: 'Requests refused at the door, by status',
      labelNames: ['fn', 'status'],
      registers,
    }),
    deadLetters: new Counter({
      name: 'stagecoach_dead_letters_total',
      help: 'Messages buried',
      labelNames: ['fn'],
      registers,
    }),
    putAside: new Counter({
      name: 'stagecoach_put_aside_total',
      help: 'Messages of tenants over their share that were put aside',
      labelNames: ['fn'],
      registers,
    }),
    resent: new Counter({ name: 'stagecoach_resent_total', help: 'Knocks and wake-ups the sweeper sent', registers }),
    inFlight: new Gauge({ name: 'stagecoach_steps_in_flight', help: 'Steps that run just now', registers }),
    oldestDueSeconds: new Gauge({
      name: 'stagecoach_oldest_due_seconds',
      help: 'How long the oldest wake-up or lost knock is overdue',
      registers,
    }),
    watchRestarts: new Gauge({
      name: 'stagecoach_watch_restarts',
      help: 'Restarts of a watch since the host began',
      labelNames: ['kind'],
      registers,
    }),
  };
}

export type Metrics = ReturnType<typeof openMetrics>;
