import type { AuditRecord } from '../audit/create-audit.ts';
import type { Call, Machinery } from '../operations/machinery.ts';
import { openWatch } from '../operations/watch-objects.ts';
import type { ApiAnswer } from './exchange.ts';
import { type Rendering, renderEvent } from './render.ts';

/** A watch as lines of JSON. Whoever reads too slowly is cut off and lists again, instead of filling our memory. */
export function streamWatch(
  machinery: Machinery,
  call: Call,
  query: URLSearchParams,
  rendering: Rendering,
  headers: Readonly<Record<string, string | readonly string[]>>,
  record: AuditRecord | undefined,
): ApiAnswer {
  const begin = openWatch(machinery, call, query);
  return {
    code: 200,
    headers,
    body: '',
    stream: (sink) => {
      record?.responseStarted(200);
      let isFirst = true;
      let stop: (() => void) | undefined;
      stop = begin({
        event: (type, object) => {
          const now = machinery.clock.now();
          if (!sink.write(renderEvent(type, object, { ...rendering, now }, isFirst))) queueMicrotask(() => stop?.());
          isFirst = false;
        },
        error: (status) => sink.write(`{"type":"ERROR","object":${JSON.stringify(status)}}\n`),
        end: () => {
          record?.complete({ code: 200 });
          sink.end();
        },
      });
      return stop;
    },
  };
}
