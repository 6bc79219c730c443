import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeError } from '../../../shared/adapters/postgres/wire.ts';
import { openTestClient } from '../../support/database.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe.runIf(hasOpenssl)('TLS to the database', () => {
  let folder: string;
  let server: Server;
  let port: number;
  let greeting = 'S';
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stagecoach-tls-'));
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    execFileSync(
      'openssl',
      ['req', '-new', '-x509', '-days', '2', '-nodes', ...subject, '-keyout', key, '-out', certificate],
      { stdio: 'ignore' },
    );
    // A server that speaks TLS, and says so in the only way that matters here: its answer can be read.
    server = createServer((socket) => {
      sockets.add(socket.on('error', () => {}));
      socket.once('data', () => {
        socket.write(greeting);
        const secure = new TLSSocket(socket, {
          isServer: true,
          key: readFileSync(key),
          cert: readFileSync(certificate),
        });
        secure.on('error', () => {});
        secure.once('data', () => secure.end(writeError('57P03', 'seen through TLS')));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
    rmSync(folder, { recursive: true });
  });

  async function answer(host: string, mode: string, trusts: boolean): Promise<string> {
    const root = trusts ? `&sslrootcert=${join(folder, 'certificate.pem')}` : '';
    const client = openTestClient(`postgres://a:b@${host}:${port}/x?sslmode=${mode}${root}`, {
      connectTimeoutMs: 5_000,
    });
    try {
      await client`select 1`;
      return 'no error';
    } catch (error) {
      return (error as Error).message;
    } finally {
      await client.end({ timeout: 1 });
    }
  }

  it.each([
    ['prefer', '127.0.0.1', false],
    ['require', '127.0.0.1', false],
    ['verify-ca', '127.0.0.1', true],
    ['verify-full', 'localhost', true],
  ])('is spoken with sslmode=%s', async (mode, host, trusts) => {
    expect(await answer(host, mode, trusts)).toBe('seen through TLS');
  });

  it.each([
    ['an authority that is not trusted', 'verify-ca', 'localhost', false, 'self-signed certificate'],
    ['an authority that is not trusted', 'verify-full', 'localhost', false, 'self-signed certificate'],
    ['another name', 'verify-full', '127.0.0.1', true, 'IP: 127.0.0.1 is not in the cert'],
  ])('meets %s with sslmode=%s', async (_what, mode, host, trusts, expected) => {
    expect(await answer(host, mode, trusts)).toContain(expected);
  });

  it('is not begun when something else was slipped in before it', async () => {
    greeting = 'Sand more';

    expect(await answer('127.0.0.1', 'require', false)).toContain('its answer to the TLS request is malformed');
  });
});
