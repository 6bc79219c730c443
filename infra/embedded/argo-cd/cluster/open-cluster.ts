import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClusterConnection, connectCluster } from '../../../../shared/adapters/kubernetes/connection.ts';
import { at, isFields, textAt } from '../kube-object.ts';
import type { ArgoSecret } from '../source/repository-credentials.ts';

export interface ClusterEntry {
  readonly server: string;
  readonly name: string;
  readonly project: string;
  readonly namespaces: readonly string[];
  readonly clusterResources: boolean;
  /** Undefined for the cluster that we live in. */
  readonly secret: ArgoSecret | undefined;
}

export const inClusterServer = 'https://kubernetes.default.svc';

export const localCluster: ClusterEntry = {
  server: inClusterServer,
  name: 'in-cluster',
  project: '',
  namespaces: [],
  clusterResources: false,
  secret: undefined,
};

export function readClusterSecret(secret: ArgoSecret): ClusterEntry {
  const { data } = secret;
  return {
    server: (data['server'] ?? '').replace(/\/+$/, ''),
    name: data['name'] ?? '',
    project: data['project'] ?? '',
    namespaces: (data['namespaces'] ?? '')
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
    clusterResources: data['clusterResources'] === 'true',
    secret,
  };
}

/**
 * Connects with what a cluster Secret holds. The way into the connection is a kubeconfig, which is read at once: the file is
 * private and gone before this returns.
 */
export function openCluster(secret: ArgoSecret, folder: string, now: () => number): ClusterConnection {
  const config = readConfig(secret);
  const server = secret.data['server'] ?? '';
  if (!/^https?:\/\/[^/]/.test(server)) throw new Error(`the server of cluster Secret ${secret.name} is no address`);
  if (isFields(config['execProviderConfig']) || isFields(config['awsAuthConfig']))
    throw new Error(
      `cluster Secret ${secret.name} asks for a credential program, which the Argo CD stand-in does not run`,
    );
  const tls = config['tlsClientConfig'];
  const entries = {
    cluster: {
      server,
      ...(at(tls, 'insecure') === true && { 'insecure-skip-tls-verify': true }),
      ...text('certificate-authority-data', textAt(tls, 'caData')),
      ...text('tls-server-name', textAt(tls, 'serverName')),
    },
    user: {
      ...text('token', textAt(config, 'bearerToken')),
      ...text('username', textAt(config, 'username')),
      ...text('password', textAt(config, 'password')),
      ...text('client-certificate-data', textAt(tls, 'certData')),
      ...text('client-key-data', textAt(tls, 'keyData')),
    },
  };
  const file = join(folder, `cluster-${randomUUID()}`);
  writeFileSync(
    file,
    JSON.stringify({
      'current-context': 'target',
      contexts: [{ name: 'target', context: { cluster: 'target', user: 'target' } }],
      clusters: [{ name: 'target', cluster: entries.cluster }],
      users: [{ name: 'target', user: entries.user }],
    }),
    { mode: 0o600, flag: 'wx' },
  );
  try {
    return connectCluster({ kubeconfigPath: file, now });
  } finally {
    rmSync(file, { force: true });
  }
}

function readConfig({ name, data }: ArgoSecret): Readonly<Record<string, unknown>> {
  if ((data['config'] ?? '') === '') return {};
  let config: unknown;
  try {
    config = JSON.parse(data['config'] ?? '');
  } catch {
    // The parser quotes what it read, and that is a credential.
    throw new Error(`failed to unmarshal cluster config: the config of Secret ${name} is not JSON`);
  }
  if (!isFields(config))
    throw new Error(`failed to unmarshal cluster config: the config of Secret ${name} is no object`);
  return config;
}

function text(name: string, value: string): Record<string, string> {
  return value === '' ? {} : { [name]: value };
}
