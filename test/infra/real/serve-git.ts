import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

export interface GitRepository {
  readonly url: string;
  /** Commits and pushes these files; gives the commit. */
  commit(files: Readonly<Record<string, string>>): Promise<string>;
  stop(): Promise<void>;
}

const run = promisify(execFile);

/** One bare repository over smart HTTP, with git's own CGI program. */
export async function serveGit(folder: string): Promise<GitRepository> {
  const bare = join(folder, 'served', 'repository.git');
  const work = join(folder, 'work');
  await mkdir(bare, { recursive: true });
  await git(bare, 'init', '--quiet', '--bare', '--initial-branch', 'main');
  await git(folder, 'clone', '--quiet', bare, work);
  await git(work, 'checkout', '--quiet', '-B', 'main');
  const server = createServer((request, response) => answer(join(folder, 'served'), request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/repository.git`,
    async commit(files) {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(work, name)), { recursive: true });
        await writeFile(join(work, name), text);
      }
      await git(work, 'add', '--all');
      await git(work, '-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '-m', 'Change');
      await git(work, 'push', '--quiet', 'origin', 'main');
      return (await git(work, 'rev-parse', 'HEAD')).trim();
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function git(folder: string, ...args: string[]): Promise<string> {
  const { stdout } = await run('git', args, { cwd: folder, timeout: 30_000 });
  return stdout;
}

function answer(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const { 'content-type': type, 'content-encoding': encoding, 'git-protocol': protocol } = request.headers;
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      ...(type !== undefined && { CONTENT_TYPE: type }),
      ...(encoding !== undefined && { HTTP_CONTENT_ENCODING: encoding }),
      ...(protocol !== undefined && { GIT_PROTOCOL: String(protocol) }),
    },
    timeout: 30_000,
  });
  request.pipe(child.stdin);
  let head: Buffer | undefined = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    if (head === undefined) {
      response.write(chunk);
      return;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    for (const line of head.subarray(0, end).toString().split('\r\n')) {
      const [, name = '', value = ''] = /^([^:]+): *(.*)$/.exec(line) ?? [];
      if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.write(head.subarray(end + 4));
    head = undefined;
  });
  child.once('close', () => response.end());
}
