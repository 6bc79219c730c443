import { randomBytes } from 'node:crypto';
import { Agent } from 'undici';
import { type AdmissionServer, startAdmissionServer } from './admission-server.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import type { AuditTrail } from './audit-sink.ts';
import { type CrdSketch, type InstalledCrd, installCrd } from './install-crd.ts';
import type { RunningCluster } from './running-cluster.ts';

/** The people that the contract suites know beside the admin; none of them may do anything until a role says so. */
export const contractTokens = [
  { token: 'alice-token', user: 'alice', groups: ['tenants'] },
  { token: 'bob-token', user: 'bob', groups: ['tenants', 'operators'] },
] as const;

/** One API server, the real one or the embedded one, as the contract suites see it. */
export interface ApiWorld {
  readonly cluster: RunningCluster;
  readonly isReal: boolean;
  /** As the admin unless told otherwise; `null` is anonymous. */
  client(token?: string | null): ApiClient;
  /** A fresh namespace. It is left behind: the cluster goes as a whole. */
  namespace(): Promise<string>;
  readonly audit: AuditTrail;
  /** An admission webhook's other end; stopped with the world, if not before. */
  webhookServer(answer: Parameters<typeof startAdmissionServer>[0]): Promise<AdmissionServer>;
  /** Makes the server forget every revision before now, as it does by itself after some minutes; absent where it cannot be told to. */
  readonly forgetHistory?: (() => Promise<void>) | undefined;
  /** Registers a CRD under a group of its own and waits until it is really served. */
  install(crd: CrdSketch): Promise<InstalledCrd>;
}

export interface OpenApiWorld extends ApiWorld {
  /** Closes connections and webhook servers; the cluster and the audit sink belong to whoever started them. */
  close(): Promise<void>;
}

export function openApiWorld(given: {
  readonly cluster: RunningCluster;
  readonly isReal: boolean;
  readonly audit: AuditTrail;
  readonly forgetHistory?: (() => Promise<void>) | undefined;
}): OpenApiWorld {
  const { cluster } = given;
  const agent = new Agent({ connect: { ca: cluster.ca } });
  // The API server ends a connection over which somebody unknown has asked, and with it whatever else is asked over HTTP/2.
  const strangers = new Agent({ connect: { ca: cluster.ca }, allowH2: false });
  const admin = createApiClient(cluster.url, agent, cluster.adminToken);
  const webhooks: AdmissionServer[] = [];

  return {
    ...given,
    client(token) {
      if (token === undefined) return admin;
      return createApiClient(cluster.url, token === null ? strangers : agent, token ?? undefined);
    },
    async namespace() {
      const name = freshName('ns');
      const created = await admin.create(namespaces, { metadata: { name } });
      if (created.code !== 201) throw new Error(`no namespace for the test: ${created.text}`);
      return name;
    },
    async webhookServer(answer) {
      const server = await startAdmissionServer(answer);
      webhooks.push(server);
      return server;
    },
    install: (crd) => installCrd(admin, crd),
    async close() {
      await Promise.all(webhooks.map((server) => server.stop()));
      await Promise.all([agent.destroy(), strangers.destroy()]);
    },
  };
}

const namespaces = '/api/v1/namespaces';

/** A name that no other test has. */
export function freshName(prefix: string): string {
  return `${prefix}-${randomBytes(4).toString('hex')}`;
}

/** The path of a built-in resource: `pathOf('v1', 'configmaps', 'ns', 'name')`, `pathOf('apps/v1', 'deployments', 'ns')`. */
export function pathOf(
  apiVersion: string,
  resource: string,
  namespace?: string,
  name?: string,
  subresource?: string,
): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return [root, namespace && `namespaces/${namespace}`, resource, name, subresource].filter(Boolean).join('/');
}
