import { randomBytes } from 'node:crypto';
import { context, type Span, SpanKind, SpanStatusCode, TraceFlags, type Tracer, trace } from '@opentelemetry/api';

/** The span of one step, real where an exporter is configured and only ids where none is. */
export interface StepSpan {
  /** What follow-up messages carry: the child of this span. */
  readonly traceparent: string;
  readonly trace: string;
  readonly span: string;
  end(outcome: string, attributes: Record<string, string | number>, error?: unknown): void;
}

export interface Tracing {
  start(name: string, traceparent: string | undefined): StepSpan;
  shutdown(): Promise<void>;
}

/** Ids without spans: a promotion is one trace even where nobody collects it. */
export const untraced: Tracing = {
  start(_name, parent) {
    const traceId = parent?.slice(3, 35) ?? randomBytes(16).toString('hex');
    const spanId = randomBytes(8).toString('hex');
    return {
      traceparent: `00-${traceId}-${spanId}-${parent?.slice(53, 55) ?? '00'}`,
      trace: traceId,
      span: spanId,
      end() {},
    };
  },
  async shutdown() {},
};

export interface ExportSettings {
  readonly endpoint: string;
  readonly serviceName: string;
}

/** Loads the SDK only where spans are collected: it is several megabytes that an untraced host need not carry. */
export async function openTracing({ endpoint, serviceName }: ExportSettings): Promise<Tracing> {
  const [{ BatchSpanProcessor, TracerProvider }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, timeoutMillis: 5_000 });
  const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
  const tracer = provider.getTracer(serviceName);
  return {
    start: (name, traceparent) => startSpan(tracer, name, traceparent),
    shutdown: () => provider.shutdown(),
  };
}

function startSpan(tracer: Tracer, name: string, traceparent: string | undefined): StepSpan {
  const parent =
    traceparent === undefined
      ? context.active()
      : trace.setSpanContext(context.active(), {
          traceId: traceparent.slice(3, 35),
          spanId: traceparent.slice(36, 52),
          // Whoever began the trace may not have sampled it; a step of ours is worth keeping all the same.
          traceFlags: TraceFlags.SAMPLED,
          isRemote: true,
        });
  const span: Span = tracer.startSpan(name, { kind: SpanKind.CONSUMER }, parent);
  const { traceId, spanId } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-01`,
    trace: traceId,
    span: spanId,
    end(outcome, attributes, error) {
      span.setAttributes({ ...attributes, outcome });
      if (error instanceof Error) span.setStatus({ code: SpanStatusCode.ERROR, message: error.name });
      span.end();
    },
  };
}
