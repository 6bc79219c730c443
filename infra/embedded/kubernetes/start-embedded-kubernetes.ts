import { randomBytes, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { lockFolder } from '../folder-lock.ts';
import { makeCertificate } from '../make-certificate.ts';
import { onKeptPort } from '../on-kept-port.ts';
import { parseAuditPolicy } from './audit/audit-policy.ts';
import { postAuditEvents } from './audit/post-audit-events.ts';
import { makeSigningKey } from './auth/signing-key.ts';
import { systemClock } from './clock.ts';
import { createApiServer } from './create-api-server.ts';
import { listen } from './serve/listen.ts';
import { writeKubeconfig } from './write-kubeconfig.ts';

export interface EmbeddedKubernetesOptions {
  /** Objects, keys and the kubeconfig are kept here. */
  readonly folder: string;
  readonly port?: number | undefined;
  /** Where the audit webhook posts what happens, by the policy in infra/kubernetes/audit-policy.yaml. */
  readonly audit?:
    | { readonly url: string; readonly token?: string | undefined; readonly ca?: string | undefined }
    | undefined;
  readonly tokens?:
    | readonly { readonly token: string; readonly user: string; readonly groups: readonly string[] }[]
    | undefined;
  /** Changes that are remembered per kind for watches and pages. */
  readonly historyLength?: number | undefined;
  readonly log?: ((line: string) => void) | undefined;
}

export interface EmbeddedKubernetes {
  readonly url: string;
  readonly ca: string;
  readonly adminToken: string;
  readonly kubeconfigFile: string;
  /** As when a real cluster compacts its history. */
  compact(): void;
  stop(): Promise<void>;
}

const YearMs = 365 * 24 * 3_600_000;
const MonthMs = 30 * 24 * 3_600_000;
const policyFile = fileURLToPath(new URL('../../kubernetes/audit-policy.yaml', import.meta.url));

/** The embedded Kubernetes API server, a development stand-in, over HTTPS on loopback. */
export async function startEmbeddedKubernetes(options: EmbeddedKubernetesOptions): Promise<EmbeddedKubernetes> {
  const { folder } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(folder, 'embedded API server');
  const { cert, key } = keepCertificate(folder);
  const adminToken = keep(folder, 'admin-token', () => randomBytes(24).toString('base64url'));
  let port = 0;
  const send = options.audit === undefined ? undefined : postAuditEvents(definedOf(options.audit));
  const server = await createApiServer({
    folder,
    clock: systemClock,
    tokens: [...(options.tokens ?? []), { token: adminToken, user: 'admin', groups: ['system:masters'] }],
    signingKey: keep(folder, 'service-account.key', makeSigningKey),
    rootCa: cert,
    address: () => `127.0.0.1:${port}`,
    ...(send === undefined ? {} : { audit: { policy: readPolicy(), send } }),
    historyLength: options.historyLength,
    log: options.log ?? (() => {}),
  });
  const listening = await onKeptPort(folder, options.port, (wanted) =>
    listen({ port: wanted, cert, key, handle: server.handle }),
  );
  port = listening.port;
  const url = `https://127.0.0.1:${port}`;
  const kubeconfigFile = join(folder, 'kubeconfig');
  writeKubeconfig(kubeconfigFile, { url, ca: cert, token: adminToken });
  return {
    url,
    ca: cert,
    adminToken,
    kubeconfigFile,
    compact: () => server.compact(),
    stop: async () => {
      await listening.close();
      await server.stop();
      await send?.close();
      unlock();
    },
  };
}

/** A secret or key that is made once and kept for this user's eyes. */
function keep(folder: string, name: string, make: () => string): string {
  const file = join(folder, name);
  if (!existsSync(file)) writeFileSync(file, make(), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

function keepCertificate(folder: string): { readonly cert: string; readonly key: string } {
  const [certFile, keyFile] = [join(folder, 'server.crt'), join(folder, 'server.key')];
  const isFresh =
    existsSync(certFile) &&
    existsSync(keyFile) &&
    Date.parse(new X509Certificate(readFileSync(certFile)).validTo) > systemClock.now() + MonthMs;
  if (!isFresh) {
    const { cert, key } = makeCertificate('stagecoach-embedded', undefined, 5 * YearMs);
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key, { mode: 0o600 });
  }
  return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
}

function readPolicy(): ReturnType<typeof parseAuditPolicy> {
  return parseAuditPolicy(parse(readFileSync(policyFile, 'utf8')));
}

function definedOf({ url, token, ca }: NonNullable<EmbeddedKubernetesOptions['audit']>) {
  return { url, ...(token === undefined ? {} : { token }), ...(ca === undefined ? {} : { ca }) };
}
