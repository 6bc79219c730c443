import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { findBinaries } from '../../infra/embedded/postgres/find-binaries.ts';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../infra/embedded/postgres/start-embedded-postgres.ts';

const isRoot = process.getuid?.() === 0;

describe('the embedded PostgreSQL', () => {
  let base: string;
  let folder: string;
  let running: EmbeddedPostgres[] = [];
  let clients: postgres.Sql[] = [];
  let holder: ChildProcess | undefined;

  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'stagecoach-embedded-'));
    await chmod(base, 0o711);
    folder = join(base, 'postgres');
    const first = await start();
    await query(first.url)`create table kept (value text)`;
    await stopAll();
  });
  afterEach(stopAll);
  afterAll(() => rm(base, { recursive: true, force: true }));

  async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
    const server = await startEmbeddedPostgres({ folder, log: () => {}, ...options });
    running.push(server);
    return server;
  }

  function query(url: string): postgres.Sql {
    const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} });
    clients.push(sql);
    return sql;
  }

  async function stopAll(): Promise<void> {
    holder?.kill('SIGKILL');
    holder = undefined;
    const [opened, started] = [clients, running];
    [clients, running] = [[], []];
    await Promise.all(opened.map((client) => client.end({ timeout: 1 })));
    await Promise.all(started.map((server) => server.stop()));
    await allGone();
  }

  function allGone(): Promise<void> {
    return vi.waitFor(async () => expect(await serverProcesses()).toEqual([]), { timeout: 10_000 });
  }

  /** Every process of a server works in its data folder. */
  async function serverProcesses(): Promise<string[]> {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
    return lines.filter((line) => line.includes(base));
  }

  async function postmaster(): Promise<number> {
    return Number.parseInt(await readFile(join(folder, 'cluster', 'data', 'postmaster.pid'), 'utf8'), 10);
  }

  async function rows(url: string, value: string): Promise<number> {
    return (await query(url)`select from kept where value = ${value}`).length;
  }

  it('says that it is a development stand-in, and keeps its password to itself', async () => {
    const said: unknown[] = [];
    const server = await start({ log: (message, fields) => said.push([message, fields]) });

    const password = new URL(server.url).password;
    expect(said).toEqual([[expect.stringContaining('embedded PostgreSQL (development stand-in)'), expect.anything()]]);
    expect(JSON.stringify(said)).not.toContain(password);
    expect((await stat(join(folder, 'cluster', 'password'))).mode & 0o777).toBe(0o600);
  });

  it('lets nobody in without the password, and listens on loopback only', async () => {
    const server = await start();

    await expect(query(server.url.replace(/:[0-9a-f]{48}@/, ':guess@'))`select 1`).rejects.toThrow(
      'password authentication failed',
    );
    const settings = await query(server.url)`
      select setting from pg_settings where name in ('listen_addresses', 'unix_socket_directories', 'fsync') order by name`;
    expect(settings.map(({ setting }) => setting)).toEqual(['on', '127.0.0.1', '']);
  });

  it('keeps its data over a restart', async () => {
    const first = await start();
    await query(first.url)`insert into kept values ('restart')`;
    await stopAll();

    const second = await start();

    expect(await rows(second.url, 'restart')).toBe(1);
  });

  it.each(['setpriv', 'supervisor'] as const)(
    'leaves no process behind when its parent is killed, and keeps its data (%s)',
    async (tether) => {
      const url = await hold(tether);
      await query(url)`insert into kept values (${tether})`;

      holder?.kill('SIGKILL');
      await allGone();

      expect(await rows((await start()).url, tether)).toBe(1);
    },
  );

  it('starts although its predecessor and the parent were killed a moment ago', async () => {
    const url = await hold('setpriv');
    await query(url)`insert into kept values ('both')`;
    const pid = await postmaster();

    holder?.kill('SIGKILL');
    process.kill(pid, 'SIGKILL');

    expect(await rows((await start()).url, 'both')).toBe(1);
  });

  it('is started again on the same port when it is killed', async () => {
    const server = await start();
    const before = await postmaster();
    await query(server.url)`insert into kept values ('killed')`;

    process.kill(before, 'SIGKILL');

    await expect.poll(() => rows(server.url, 'killed').catch(() => 0), { timeout: 20_000 }).toBe(1);
    expect(await postmaster()).not.toBe(before);
  });

  it('starts when the lock of a dead server names a process that lives', async () => {
    const lock = join(folder, 'cluster', 'data', 'postmaster.pid');
    await writeFile(lock, `${process.pid}\n${join(folder, 'cluster', 'data')}\n1\n5432\n\n127.0.0.1\n\nready   \n`);
    const { uid, gid } = await stat(join(folder, 'cluster', 'data'));
    if (isRoot) await chown(lock, uid, gid);

    const server = await start();

    expect(await query(server.url)`select 1 as value`).toEqual([{ value: 1 }]);
  });

  it('refuses a second server on the same folder and says what to do', async () => {
    await start();

    await expect(start({ patienceMs: 200 })).rejects.toThrow('another process serves the embedded database');
  });

  it('takes the port that it is given, or explains why it cannot', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;

    await expect(start({ port })).rejects.toThrow(`cannot listen on port ${port}, another program does`);

    server.close();
    await once(server, 'close');
    expect(new URL((await start({ port })).url).port).toBe(String(port));
  });

  it('cleans up after a start that was killed half way', async () => {
    const fresh = join(base, 'fresh');
    // No process has the number 0, so its maker is gone.
    await mkdir(join(fresh, 'unfinished-0-abcd'), { recursive: true });
    if (isRoot) await chmod(fresh, 0o711);

    await start({ folder: fresh });

    expect((await readdir(fresh)).sort()).toEqual(['cluster', 'lib', 'server.log']);
  });

  it.runIf(isRoot)('keeps the data of root elsewhere when other users cannot reach the folder', async () => {
    const [hidden, shelter] = [join(base, 'hidden'), join(base, 'shelter')];
    await mkdir(hidden, { mode: 0o700 });
    const options = { folder: join(hidden, 'postgres'), shelter };

    const first = await start(options);
    await query(first.url)`create table here as select 1 as value`;
    await stopAll();
    const second = await start(options);

    expect(await query(second.url)`select value from here`).toEqual([{ value: 1 }]);
    expect(await readdir(join(hidden, 'postgres'))).toEqual([]);
    expect(await readdir(shelter)).toHaveLength(1);
  });

  it('explains itself where it cannot run', () => {
    expect(() => findBinaries('darwin-arm64')).toThrow(
      'there is no embedded PostgreSQL for darwin-arm64. Set DATABASE_URL',
    );
  });

  async function hold(tether: 'setpriv' | 'supervisor'): Promise<string> {
    const program = fileURLToPath(new URL('hold-postgres.ts', import.meta.url));
    holder = spawn(process.execPath, [program, folder, tether], { stdio: ['ignore', 'pipe', 'inherit'] });
    if (holder.stdout === null) throw new Error('no output');
    const [url] = (await once(createInterface({ input: holder.stdout }), 'line')) as [string];
    return url;
  }
});
