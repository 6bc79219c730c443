import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const branches =
  '001e# service=git-upload-pack\n0000004c0123456789012345678901234567890123456789 refs/heads/main\0agent=x\n0000';

/** A host of repositories that knows the one question it is asked, so that no git is needed to have one. */
export interface PlayedGitHost {
  /** http://127.0.0.1:port */
  readonly url: string;
  /** Path to password; what is not here is no repository. */
  readonly repositories: Map<string, string>;
  /** The paths that were asked for since the list was last emptied. */
  readonly asked: string[];
  /** It answers, but with an error of its own. */
  ill: boolean;
  stop(): Promise<void>;
}

export async function startPlayedGitHost(): Promise<PlayedGitHost> {
  const server = createServer(({ url = '', headers }, response) => {
    const path = url.split('/info/refs')[0] ?? '';
    host.asked.push(path);
    const password = host.repositories.get(path);
    if (host.ill) response.writeHead(503).end();
    else if (password === undefined) response.writeHead(404).end();
    else if (headers.authorization !== `Basic ${Buffer.from(`me:${password}`).toString('base64')}`)
      response.writeHead(401).end();
    else response.end(branches);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const host: PlayedGitHost = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    repositories: new Map(),
    asked: [],
    ill: false,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return host;
}
