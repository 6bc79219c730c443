import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';

/** Where the API server posts its audit events. */
export interface AuditWebhook {
  readonly url: string;
  /** Sent over https only: the API server leaves it out over plain http. */
  readonly token?: string | undefined;
  /** The certificate that the receiver's is checked against, as PEM. */
  readonly ca?: string | undefined;
}

/** Who a bearer token is. */
export interface TokenUser {
  readonly token: string;
  readonly user: string;
  readonly groups: readonly string[];
}

interface Settings {
  readonly folder: string;
  readonly audit: AuditWebhook | undefined;
  readonly tokens: readonly TokenUser[];
}

// The name of a socket in the folder that both processes work in; the form is etcd's. Nobody else on this machine can
// reach it, no port has to be found, and the length of the folder's path does not count.
const etcdClients = 'unix://localhost:1';
const etcdPeers = 'unix://localhost:2';
const auditPolicy = fileURLToPath(new URL('../kubernetes/audit-policy.yaml', import.meta.url));

export function etcdArguments(): readonly string[] {
  return [
    '--data-dir=data',
    '--unsafe-no-fsync',
    `--listen-client-urls=${etcdClients}`,
    `--advertise-client-urls=${etcdClients}`,
    `--listen-peer-urls=${etcdPeers}`,
    `--initial-advertise-peer-urls=${etcdPeers}`,
    `--initial-cluster=default=${etcdPeers}`,
    // It is alone: waiting a second for the votes of others only makes the start slower.
    '--heartbeat-interval=10',
    '--election-timeout=100',
  ];
}

export function apiServerArguments({ folder, audit }: Settings, port: number): readonly string[] {
  const { serviceAccountKey, tokensFile, certificates, webhookFile } = filesOf(folder);
  return [
    `--etcd-servers=${etcdClients}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    // Otherwise it looks for a network interface, and refuses to start on a machine without one.
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none',
    `--cert-dir=${certificates}`,
    `--service-account-key-file=${serviceAccountKey}`,
    `--service-account-signing-key-file=${serviceAccountKey}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--token-auth-file=${tokensFile}`,
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.0.0.0/24',
    ...(audit === undefined
      ? []
      : [
          `--audit-policy-file=${auditPolicy}`,
          `--audit-webhook-config-file=${webhookFile}`,
          // As audit-webhook.kubeconfig.example.yaml says, but for the wait: a test should not wait longer than it must.
          '--audit-webhook-mode=batch',
          '--audit-webhook-batch-max-wait=100ms',
          '--audit-webhook-batch-max-size=400',
          '--audit-webhook-batch-buffer-size=10000',
          '--audit-webhook-truncate-enabled=true',
          '--audit-webhook-initial-backoff=10s',
        ]),
  ];
}

export function controllerManagerArguments(folder: string, kubeconfigFile: string): readonly string[] {
  const { serviceAccountKey, authority } = filesOf(folder);
  return [
    `--kubeconfig=${kubeconfigFile}`,
    `--service-account-private-key-file=${serviceAccountKey}`,
    `--root-ca-file=${authority}`,
    '--use-service-account-credentials=false',
    '--leader-elect=false',
    '--secure-port=0',
    // It works for a test, which waits for it: 20 requests a second, the default, are far too few.
    '--kube-api-qps=500',
    '--kube-api-burst=1000',
    '--concurrent-namespace-syncs=20',
    // There are no kubelets that report, and no networks to divide.
    '--controllers=*,-nodelifecycle,-nodeipam',
  ];
}

export function filesOf(folder: string) {
  return {
    etcd: join(folder, 'etcd'),
    certificates: join(folder, 'certificates'),
    /** The API server makes its certificate and the authority that signed it, and puts both in here. */
    authority: join(folder, 'certificates', 'apiserver.crt'),
    serviceAccountKey: join(folder, 'service-accounts.key'),
    tokensFile: join(folder, 'tokens.csv'),
    adminTokenFile: join(folder, 'admin-token'),
    webhookFile: join(folder, 'audit-webhook.yaml'),
    kubeconfigFile: join(folder, 'kubeconfig.yaml'),
  };
}

/** Writes what the API server reads. A folder that was used before keeps its keys, so that tokens given out still hold. */
export function writeSettings({ folder, audit, tokens }: Settings): { adminToken: string } {
  const { serviceAccountKey, adminTokenFile, tokensFile, webhookFile } = filesOf(folder);
  if (!existsSync(serviceAccountKey)) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writePrivate(serviceAccountKey, privateKey.export({ type: 'sec1', format: 'pem' }).toString());
  }
  if (!existsSync(adminTokenFile)) writePrivate(adminTokenFile, randomBytes(24).toString('base64url'));
  const adminToken = readFileSync(adminTokenFile, 'utf8');
  const users = [{ token: adminToken, user: 'admin', groups: ['system:masters'] }, ...tokens];
  writePrivate(tokensFile, users.map(tokenLine).join(''));
  if (audit !== undefined) writePrivate(webhookFile, webhookKubeconfig(audit));
  return { adminToken };
}

function tokenLine({ token, user, groups }: TokenUser): string {
  if ([token, user, ...groups].some((text) => text === '' || /["\n\r]/.test(text) || text !== text.trim()))
    throw new Error(
      `The token of user ${user} cannot be written to the API server's list: no value may be empty or have quotes, line breaks or spaces around it.`,
    );
  return `"${token}","${user}","${user}","${groups.join(',')}"\n`;
}

function webhookKubeconfig({ url, token, ca }: AuditWebhook): string {
  if (token !== undefined && !url.startsWith('https:'))
    throw new Error(
      `kube-apiserver sends the token of its audit webhook over https only, and ${url} is not: serve it over https, or give no token.`,
    );
  return kubeconfig({ server: url, ...(ca !== undefined && { ca }), ...(token !== undefined && { token }) });
}

export function kubeconfig({ server, ca, token }: { server: string; ca?: string; token?: string }): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'stagecoach',
        cluster: { server, ...(ca !== undefined && { 'certificate-authority-data': toBase64(ca) }) },
      },
    ],
    users: [{ name: 'stagecoach', user: { ...(token !== undefined && { token }) } }],
    contexts: [{ name: 'stagecoach', context: { cluster: 'stagecoach', user: 'stagecoach' } }],
    'current-context': 'stagecoach',
  });
}

export function writePrivate(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}
