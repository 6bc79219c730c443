import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openTracing, untraced } from '../../../shared/adapters/telemetry/trace.ts';

const parent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

describe('a step without a collector', () => {
  it('stays in the trace of its message, as a span of its own', () => {
    const span = untraced.start('run-errand', parent);

    expect(span.trace).toBe('a'.repeat(32));
    expect(span.traceparent).toMatch(new RegExp(`^00-${'a'.repeat(32)}-[0-9a-f]{16}-01$`));
    expect(span.span).not.toBe('b'.repeat(16));
  });

  it('begins a trace where there is none', () => {
    expect(untraced.start('run-errand', undefined).traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  });
});

describe('a step with a collector', () => {
  it('is exported as a span under its message’s, with its outcome', async () => {
    const bodies: string[] = [];
    const collector = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        bodies.push(`${request.url} ${body}`);
        response.setHeader('content-type', 'application/json').end('{}');
      });
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const tracing = await openTracing({
      endpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      serviceName: 'stagecoach',
    });

    const span = tracing.start('run-errand', parent);
    span.end('stepped', { fn: 'run-errand', attempt: 0 });
    await tracing.shutdown();
    collector.closeAllConnections();
    await new Promise((resolve) => collector.close(resolve));

    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toContain('/v1/traces');
    for (const part of ['run-errand', 'stepped', 'a'.repeat(32), 'b'.repeat(16), span.span])
      expect(bodies[0]).toContain(part);
  });
});
