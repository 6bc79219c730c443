import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ingestAudit } from '../../functions/ingest-audit/index.ts';
import { type MadeCertificate, makeCertificate } from '../../infra/embedded/make-certificate.ts';
import { startFront } from '../../infra/host/front.ts';
import { standUp } from '../../shared/runtime/machine.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { auditEvent, auditList } from '../support/host-process.ts';
import { openTestMachine } from '../support/machine.ts';

const authority = makeCertificate('an authority we trust');
const server = makeCertificate('the server', authority);
const known = makeCertificate('the API server', authority);
const stranger = makeCertificate('a stranger', makeCertificate('another authority'));

let database: TestDatabase;
let front: Awaited<ReturnType<typeof startFront>>;

beforeAll(async () => {
  database = await openTestDatabase();
  const machine = openTestMachine(database.sql, { tokens: [] });
  standUp(machine);
  front = await startFront({
    machine,
    functions: [ingestAudit.name],
    health: async () => ({ status: 200, body: {} }),
    host: '127.0.0.1',
    port: 0,
    tls: { cert: Buffer.from(server.cert), key: Buffer.from(server.key), clientCa: Buffer.from(authority.cert) },
  });
});
afterAll(async () => {
  await front.close(5_000);
  await database.close();
});

function post(client: MadeCertificate | undefined): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${front.url}/ingest-audit`,
      {
        method: 'POST',
        ca: authority.cert,
        agent: false,
        ...(client !== undefined && { cert: client.cert, key: client.key }),
      },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    sent.on('error', reject);
    sent.end(JSON.stringify(auditList(auditEvent('team', 'web', 1))));
  });
}

describe('over TLS', () => {
  it('a caller with a certificate of the configured authority is known without a token', async () => {
    expect(await post(known)).toBe(200);
  });

  it.each([
    ['without a certificate', undefined],
    ['with a certificate of somebody else', stranger],
  ])('a caller %s is not', async (_who, client) => {
    expect(await post(client)).toBe(401);
  });
});
