import { get } from 'node:http';

interface StreamEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** Reads server-sent events as a browser does, and leaves when it is told to. */
export async function openEventStream(url: string, headers: Readonly<Record<string, string>> = {}) {
  const events: StreamEvent[] = [];
  const end = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<{ readonly status: number; readonly type: string }>();
  let text = '';
  const request = get(url, { headers, agent: false }, (response) => {
    answer.resolve({ status: response.statusCode ?? 0, type: String(response.headers['content-type']) });
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      const blocks = (text + chunk).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s)));
        if (fields.event !== undefined) events.push({ event: fields.event, id: fields.id, data: fields.data ?? '' });
      }
    });
    response.on('close', () => end.resolve());
    response.on('error', () => end.resolve());
  });
  request.on('error', (error) => {
    answer.reject(error);
    end.resolve();
  });
  return {
    ...(await answer.promise),
    events,
    /** When the server has ended it. */
    ended: end.promise,
    close: () => void request.destroy(),
  };
}
