import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectInProcess } from '../../../infra/embedded/connect-in-process.ts';
import { makeSigningKey } from '../../../infra/embedded/kubernetes/auth/signing-key.ts';
import { type ApiServer, createApiServer } from '../../../infra/embedded/kubernetes/create-api-server.ts';
import type { ClusterConnection } from '../../../shared/adapters/kubernetes/connection.ts';
import { Conflict } from '../../../shared/ports/trouble.ts';
import { SteppedClock } from '../../support/stepped-clock.ts';

const maps = '/api/v1/namespaces/default/configmaps';
let clock: SteppedClock;
let server: ApiServer;
let connection: ClusterConnection;

beforeEach(async () => {
  clock = new SteppedClock('2031-05-01T12:00:00Z');
  server = await createApiServer({
    clock,
    tokens: [{ token: 'all-powerful', user: 'admin', groups: ['system:masters'] }],
    signingKey: makeSigningKey(),
    rootCa: 'none is needed',
    address: () => 'nowhere',
    log: () => {},
  });
  connection = connectInProcess(server, 'all-powerful');
});

afterEach(async () => {
  await connection.close();
  await server.stop();
});

describe('the embedded API server inside a process', () => {
  it('lives in the time it is given', async () => {
    await clock.step(3_600_000);

    const { body } = await create('late');

    expect(body).toMatchObject({ metadata: { creationTimestamp: '2031-05-01T13:00:00Z' } });
  });

  it('answers as over a socket: what is missing is an observation, what is in the way is trouble', async () => {
    await create('one');

    const missing = await connection.request(`${maps}/none`);

    expect(missing.status).toBe(404);
    await expect(create('one')).rejects.toBeInstanceOf(Conflict);
  });

  it('ends a watch when its time is over, without anybody waiting for it', async () => {
    const { chunks } = await connection.stream(`${maps}?watch=true&resourceVersion=0&timeoutSeconds=300`);
    const lines: string[] = [];
    const reading = (async () => {
      for await (const chunk of chunks) lines.push(chunk.toString());
    })();
    await create('seen');
    await clock.step(300_000);

    await reading;

    expect(
      lines.map((line) => (JSON.parse(line) as { object: { metadata: { name: string } } }).object.metadata.name),
    ).toContain('seen');
  });

  it('runs its controllers to the end when asked', async () => {
    const { body } = await create('owner');
    const { uid } = (body as { metadata: { uid: string } }).metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
    await connection.request(maps, { method: 'POST', body: { metadata: { name: 'owned', ownerReferences } } });

    await connection.request(`${maps}/owner`, { method: 'DELETE' });
    await server.idle();

    expect((await connection.request(`${maps}/owned`)).status).toBe(404);
  });
});

function create(name: string) {
  return connection.request(maps, { method: 'POST', body: { metadata: { name } }, accept: [] });
}
