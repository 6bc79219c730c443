import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../../infra/embedded/make-certificate.ts';
import { type ControlPlane, startControlPlane } from '../../../infra/real/start-control-plane.ts';
import { type ClusterConnection, connectCluster } from '../../../shared/adapters/kubernetes/connection.ts';
import { partsOf, realParts, reasonOf } from '../../support/real-parts.ts';
import type { RunningCluster } from '../../support/running-cluster.ts';
import { type AuditSink, openAuditSink } from './audit-sink.ts';
import { processesIn } from './processes-in.ts';

const real = await realParts(['etcd', 'kube-apiserver']);

interface Named {
  readonly metadata: { readonly name: string; readonly uid: string };
}

describe.skipIf('missing' in real)(`the real control plane${reasonOf(real)}`, () => {
  const auditToken = 'the-token-of-the-audit-webhook';
  const certificate = makeCertificate('audit sink');
  let folder: string;
  let sink: AuditSink;
  let plane: ControlPlane & RunningCluster;
  let connection: ClusterConnection;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stagecoach-plane-'));
    sink = await openAuditSink(certificate);
    plane = await startControlPlane({
      parts: partsOf(real),
      folder,
      audit: { url: sink.url, token: auditToken, ca: certificate.cert },
      tokens: [{ token: 'token-of-jo', user: 'jo', groups: ['guests', 'readers'] }],
    });
    connection = connectCluster({ kubeconfigPath: plane.kubeconfigFile, now: Date.now });
  });

  afterAll(async () => {
    await connection?.close();
    await plane?.stop();
    await sink?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is the version that we promise', async () => {
    const { body } = await connection.request('/version');

    expect(body).toMatchObject({ gitVersion: 'v1.36.3', major: '1', minor: '36' });
  });

  it('has our CRDs established', async () => {
    const { body } = await connection.request('/apis/apiextensions.k8s.io/v1/customresourcedefinitions');

    const { items } = body as { items: { status: { conditions: { type: string; status: string }[] } }[] };
    const established = items.filter(({ status }) =>
      status.conditions.some(({ type, status }) => type === 'Established' && status === 'True'),
    );
    expect(established).toHaveLength(15);
  });

  it('gives the same access by its kubeconfig as by the fields beside it', async () => {
    const text = await readFile(plane.kubeconfigFile, 'utf8');

    expect(text).toContain(plane.url);
    expect(text).toContain(plane.adminToken);
    expect(text.replaceAll(/\s+/g, '')).toContain(Buffer.from(plane.ca).toString('base64'));
  });

  it('knows its users by their tokens, and lets RBAC decide what they may do', async () => {
    const jo = await fetchAs(plane, 'token-of-jo', '/api/v1/namespaces');
    const nobody = await fetchAs(plane, 'no-such-token', '/api/v1/namespaces');

    expect(jo).toMatchObject({ code: 403, message: expect.stringContaining('User "jo" cannot list resource') });
    expect(nobody).toMatchObject({ code: 401 });
  });

  it('tells the audit webhook of a change to one of our objects, with its token', async () => {
    const { body } = await createApplication(connection, 'audited');

    const { metadata } = body as Named;
    await expect
      .poll(() => sink.events(), { timeout: 20_000 })
      .toContainEqual(
        expect.objectContaining({
          verb: 'create',
          objectRef: expect.objectContaining({ resource: 'applications', name: 'audited' }),
          responseObject: expect.objectContaining({ metadata: expect.objectContaining({ uid: metadata.uid }) }),
        }),
      );
    expect(new Set(sink.authorizations())).toEqual(new Set([`Bearer ${auditToken}`]));
  });

  it('has its data after a kill -9 of the API server', async () => {
    await createApplication(connection, 'before-the-api-server');

    await plane.killApiServer();
    const away = await connection.request('/version').catch((error: unknown) => error);
    await plane.restartApiServer();

    expect(away).toBeInstanceOf(Error);
    expect((await readApplication(connection, 'before-the-api-server')).status).toBe(200);
    expect((await createApplication(connection, 'after-the-api-server')).status).toBe(201);
  });

  it('has its data after a kill -9 of etcd, and takes writes again', async () => {
    await createApplication(connection, 'before-etcd');

    await plane.killEtcd();
    await plane.restartEtcd();

    expect((await readApplication(connection, 'before-etcd')).status).toBe(200);
    expect((await createApplication(connection, 'after-etcd')).status).toBe(201);
  });

  it('lets no second one into its folder', async () => {
    await expect(startControlPlane({ parts: partsOf(real), folder })).rejects.toThrow('Another control plane runs in');
  });

  it('leaves no process behind, and goes on with its data when started in the same folder', async () => {
    await createApplication(connection, 'before-the-stop');
    await connection.close();
    const running = await processesIn(folder);

    await plane.stop();
    const left = await processesIn(folder);
    plane = await startControlPlane({ parts: partsOf(real), folder });
    connection = connectCluster({ kubeconfigPath: plane.kubeconfigFile, now: Date.now });

    expect(running).toHaveLength(2);
    expect(left).toEqual([]);
    expect((await readApplication(connection, 'before-the-stop')).status).toBe(200);
  });

  it('has its data after a kill -9 of both, etcd back first', async () => {
    await createApplication(connection, 'before-both');

    await Promise.all([plane.killApiServer(), plane.killEtcd()]);
    await plane.restartEtcd();
    await plane.restartApiServer();

    expect((await readApplication(connection, 'before-both')).status).toBe(200);
  });

  it('says so when its port is taken', async () => {
    const elsewhere = join(folder, 'taken');
    const port = Number(new URL(plane.url).port);

    await expect(startControlPlane({ parts: partsOf(real), folder: elsewhere, port })).rejects.toThrow(
      'address already in use',
    );
    expect(await processesIn(elsewhere)).toEqual([]);
  });

  it('explains that a token is not sent over plain http', async () => {
    const elsewhere = join(folder, 'elsewhere');
    const audit = { url: 'http://127.0.0.1:1/', token: 'secret' };

    await expect(startControlPlane({ parts: partsOf(real), folder: elsewhere, audit })).rejects.toThrow(
      'over https only',
    );
    expect(await processesIn(elsewhere)).toEqual([]);
  });

  it('says what the program said when it does not start', async () => {
    const elsewhere = join(folder, 'broken');
    const parts = { ...partsOf(real), etcd: '/bin/false' };

    await expect(startControlPlane({ parts, folder: elsewhere })).rejects.toThrow('etcd is not running');
    expect(await processesIn(elsewhere)).toEqual([]);
  });
});

const applications = '/apis/appstudio.redhat.com/v1alpha1/namespaces/default/applications';

function createApplication(connection: ClusterConnection, name: string) {
  return connection.request(applications, {
    method: 'POST',
    body: {
      apiVersion: 'appstudio.redhat.com/v1alpha1',
      kind: 'Application',
      metadata: { name },
      spec: { displayName: name },
    },
    accept: [],
  });
}

function readApplication(connection: ClusterConnection, name: string) {
  return connection.request(`${applications}/${name}`);
}

async function fetchAs({ url, ca }: RunningCluster, token: string, path: string): Promise<unknown> {
  const { Agent, fetch } = await import('undici');
  const dispatcher = new Agent({ connect: { ca } });
  try {
    const answer = await fetch(url + path, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(10_000),
      dispatcher,
    });
    return await answer.json();
  } finally {
    await dispatcher.close();
  }
}
