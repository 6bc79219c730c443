import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { MadeCertificate } from '../../../infra/embedded/make-certificate.ts';

export interface AuditSink {
  readonly url: string;
  /** All that came so far. */
  events(): readonly unknown[];
  /** The Authorization header of each post. */
  authorizations(): readonly (string | undefined)[];
  stop(): Promise<void>;
}

/** Takes what an audit webhook posts. */
export async function openAuditSink({ cert, key }: MadeCertificate): Promise<AuditSink> {
  const events: unknown[] = [];
  const authorizations: (string | undefined)[] = [];
  const server = createServer({ cert, key }, async (request, response) => {
    authorizations.push(request.headers.authorization);
    const { items } = (await json(request)) as { items: unknown[] };
    events.push(...items);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/audit`,
    events: () => events,
    authorizations: () => authorizations,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
