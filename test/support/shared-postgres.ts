import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../infra/embedded/postgres/start-embedded-postgres.ts';
import { connect } from '../../shared/adapters/postgres/connect.ts';
import { migrate } from '../../shared/adapters/postgres/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server that all test files of a run share, and the migrated database that theirs are copied from. */
    postgres: { url: string; template: string };
  }
}

const template = 'stagecoach_template';

let folder: string | undefined;
let server: EmbeddedPostgres | undefined;

export async function setup(project: TestProject): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'stagecoach-test-'));
  // Started by root the server runs as nobody, who must be able to pass.
  await chmod(folder, 0o711);
  server = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), log: () => {}, durable: false });

  const admin = open(server.url);
  await admin.unsafe(`create database ${template}`);
  await admin.end();
  const url = new URL(server.url);
  url.pathname = `/${template}`;
  const sql = open(url.href);
  await migrate(sql);
  await sql.end();

  project.provide('postgres', { url: server.url, template });
}

export async function teardown(): Promise<void> {
  await server?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}

function open(url: string) {
  return connect({
    url,
    poolSize: 1,
    statementTimeoutMs: 30_000,
    connectTimeoutMs: 10_000,
    applicationName: 'test-setup',
  });
}
