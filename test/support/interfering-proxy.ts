import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** True: the request goes no further, or the answer does not; whoever interferes has dealt with it. */
type Interfere = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

export interface InterferingProxy {
  readonly url: string;
  close(): void;
}

/** Stands between clients and an HTTP server. It may answer in the server's place, and may keep its answers back. */
export async function startInterferingProxy(
  origin: string,
  { before, after }: { readonly before: Interfere; readonly after: Interfere },
): Promise<InterferingProxy> {
  const { hostname: host, port } = new URL(origin);
  const proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (await before(request, response)) return;
    const { url: path, method, headers } = request;
    const onward = send({ host, port, path, method, headers }, async (answer) => {
      const body: Buffer[] = [];
      for await (const chunk of answer) body.push(chunk as Buffer);
      if (await after(request, response)) return;
      response.writeHead(answer.statusCode ?? 500, { ...answer.headers, connection: 'close' }).end(Buffer.concat(body));
    });
    onward.on('error', () => response.destroy());
    onward.end(Buffer.concat(chunks));
  });
  proxy.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
