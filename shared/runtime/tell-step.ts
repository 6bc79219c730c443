import type { StepSpan } from '../adapters/telemetry/trace.ts';
import type { Machine } from './machine.ts';
import type { Attempt } from './put-off.ts';
import type { Told } from './take-step.ts';

const levels = {
  stepped: 'info',
  skipped: 'info',
  coalesced: 'debug',
  conflict: 'debug',
  transient: 'warn',
  uncertain: 'warn',
  refused: 'info',
  poison: 'error',
} as const;

/** The one line, the one span and the few numbers of a step. */
export function tellStep(attempt: Attempt, { outcome, step, defect }: Told, span: StepSpan, machine: Machine): void {
  const { message, route, receipt } = attempt;
  const ms = Math.round((machine.clock.elapsed() - attempt.startedAt) * 100) / 100;
  const word = defect === undefined ? outcome.kind : 'defect';
  const { metrics } = machine;
  metrics.steps.inc({ fn: route.function, outcome: word });
  metrics.stepSeconds.observe({ fn: route.function }, ms / 1_000);
  metrics.waitSeconds.observe({ fn: route.function }, attempt.waitedMs / 1_000);
  if (outcome.kind === 'coalesced') metrics.coalesced.inc({ fn: route.function });
  span.end(
    word,
    {
      fn: route.function,
      subject: `${message.subject.namespace}/${message.subject.name}`,
      attempt: attempt.envelope.attempt ?? 0,
    },
    defect,
  );

  machine.log[defect === undefined ? levels[outcome.kind] : 'error']('step', {
    fn: route.function,
    trace: span.trace,
    span: span.span,
    message: message.id,
    cause: message.cause,
    correlation: message.correlation,
    kind: message.type,
    namespace: message.subject.namespace,
    name: message.subject.name,
    attempt: attempt.envelope.attempt ?? 0,
    outcome: word,
    reason: 'why' in outcome ? outcome.why : undefined,
    next: step?.next.kind,
    effects: step?.effects.map((effect) => effect.do),
    covered: receipt.covered === 0 ? undefined : receipt.covered,
    retry: 'retrySeconds' in outcome ? outcome.retrySeconds : undefined,
    waited: attempt.waitedMs,
    ms,
    ...(defect !== undefined && { error: String(defect), stack: defect instanceof Error ? defect.stack : undefined }),
  });
}
