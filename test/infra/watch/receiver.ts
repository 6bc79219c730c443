import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Post {
  readonly authorization: string | undefined;
  readonly text: string;
  readonly body: { source: string; events: { type: string; object: { kind: string; metadata: { name: string } } }[] };
}

/** Stands where the function forward-event stands. `answer` decides what a post is answered with; no answer leaves it open. */
export async function startReceiver() {
  const posts: Post[] = [];
  const taken: Post[] = [];
  const waiters = new Set<() => void>();
  const control = { answer: (_post: Post): number | undefined => 200 };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const post: Post = { authorization: request.headers.authorization, text, body: JSON.parse(text) };
    posts.push(post);
    const status = control.answer(post);
    if (status === 200) taken.push(post);
    if (status !== undefined) response.writeHead(status).end(status === 200 ? '' : 'said the receiver');
    for (const waiter of waiters) waiter();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const told = () =>
    taken.flatMap(({ body }) =>
      body.events.map(({ type, object }) => `${type} ${object.kind} ${object.metadata.name}`),
    );
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/forward-event`,
    posts,
    taken,
    control,
    told,
    async until(holds: () => boolean): Promise<void> {
      while (!holds()) {
        await new Promise<void>((resolve) => {
          const waiter = () => {
            waiters.delete(waiter);
            resolve();
          };
          waiters.add(waiter);
        });
      }
    },
    async stop(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
