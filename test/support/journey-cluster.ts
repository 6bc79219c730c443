import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnEmbeddedKubernetes } from '../../infra/embedded/kubernetes/spawn-embedded-kubernetes.ts';
import { makeCertificate } from '../../infra/embedded/make-certificate.ts';
import { freePort } from '../../infra/free-port.ts';
import { applyCrds, ownCrds, readCrds } from '../../infra/kubernetes/apply-crds.ts';
import { startControlPlane } from '../../infra/real/start-control-plane.ts';
import { connectCluster } from '../../shared/adapters/kubernetes/connection.ts';

/** Where the host will listen: known before it starts, because the API server posts its audit events there. */
export interface HostPlace {
  readonly folder: string;
  readonly url: string;
  readonly caFile: string;
  /** What the host must be told to be found at this place. */
  readonly environment: Readonly<Record<string, string>>;
}

export async function chooseHostPlace(tokenFile: string): Promise<HostPlace> {
  const folder = mkdtempSync(join(tmpdir(), 'stagecoach-journey-'));
  const { cert, key } = makeCertificate('127.0.0.1');
  const [certFile, keyFile] = [join(folder, 'host.crt'), join(folder, 'host.key')];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  const port = await freePort();
  return {
    folder,
    url: `https://127.0.0.1:${port}/ingest-audit`,
    caFile: certFile,
    environment: { PORT: String(port), TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, WEBHOOK_TOKEN_FILE: tokenFile },
  };
}

/** A cluster with our CRDs whose audit webhook posts to the host, and whose servers can be killed. */
export interface JourneyCluster {
  readonly kubeconfigFile: string;
  /** What can be killed, by name; each resolves when it is up again on the same address and data. */
  readonly killAndRestart: Readonly<Record<string, () => Promise<void>>>;
  stop(): Promise<void>;
}

export async function openEmbeddedJourneyCluster({
  folder,
  url,
  caFile,
  environment,
}: HostPlace): Promise<JourneyCluster> {
  const options = {
    folder: join(folder, 'kubernetes'),
    audit: { url, caFile, tokenFile: environment['WEBHOOK_TOKEN_FILE'] },
  };
  let server = await spawnEmbeddedKubernetes(options);
  const { kubeconfigFile } = server;
  const connection = connectCluster({ kubeconfigPath: kubeconfigFile, now: Date.now });
  await applyCrds(connection, readCrds(ownCrds));
  await connection.close();
  return {
    kubeconfigFile,
    killAndRestart: {
      'the API server': async () => {
        process.kill(server.pid, 'SIGKILL');
        await server.ended;
        server = await spawnEmbeddedKubernetes(options);
      },
    },
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function openRealJourneyCluster(
  { folder, url, caFile, environment }: HostPlace,
  parts: Readonly<Record<'etcd' | 'kube-apiserver', string>>,
): Promise<JourneyCluster> {
  const plane = await startControlPlane({
    parts,
    folder: join(folder, 'kubernetes'),
    audit: {
      url,
      ca: readFileSync(caFile, 'utf8'),
      token: readFileSync(environment['WEBHOOK_TOKEN_FILE'] ?? '', 'utf8').trim(),
    },
  });
  return {
    kubeconfigFile: plane.kubeconfigFile,
    killAndRestart: {
      'the API server': async () => {
        await plane.killApiServer();
        await plane.restartApiServer();
      },
      etcd: async () => {
        await plane.killEtcd();
        await plane.restartEtcd();
      },
    },
    async stop() {
      await plane.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
