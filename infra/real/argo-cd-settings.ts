import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterConnection } from '../../shared/adapters/kubernetes/connection.ts';
import { defaultAppProject } from '../kubernetes/default-app-project.ts';

export interface ArgoCdPrograms {
  readonly argoCd: string;
  readonly kustomize: string;
}

export interface ArgoCdFiles {
  readonly repoServer: string;
  readonly controller: string;
  readonly redisSettings: string;
  readonly environment: Readonly<Record<string, string>>;
}

interface Home {
  readonly folder: string;
  readonly programs: ArgoCdPrograms;
  /** Where git is found. */
  readonly path: string;
  readonly kubeconfigFile: string;
  /** The hosts to believe over ssh, as in a file of known hosts. */
  readonly knownHosts: string;
}

/** One program, whose role is the name that it is called by; and what its processes look for around them. */
export function layOut({ folder, programs, path, kubeconfigFile, knownHosts }: Home): ArgoCdFiles {
  const inside = (name: string) => join(folder, name);
  // The kernel takes no longer path for a socket.
  if (Buffer.byteLength(inside('ask-pass.sock')) > 107)
    throw new Error(`The path ${folder} is too long for Argo CD's socket: choose a folder with a shorter one.`);
  for (const name of ['bin', 'tls', 'ssh', 'gpg', 'gnupg', 'home', 'tmp', 'plugins', 'redis'])
    mkdirSync(inside(name), { recursive: true, mode: 0o700 });
  // The bare name is its ask-pass helper, which git calls for private repositories.
  for (const name of ['argocd', 'argocd-repo-server', 'argocd-application-controller', 'argocd-git-ask-pass'])
    symlinkSync(programs.argoCd, inside(`bin/${name}`));
  symlinkSync(programs.kustomize, inside('bin/kustomize'));
  // Asked for the signature of every revision. Without it each manifest fails with "permission denied".
  writeFileSync(inside('bin/git-verify-wrapper.sh'), '#!/bin/sh\nexit 0\n');
  chmodSync(inside('bin/git-verify-wrapper.sh'), 0o700);
  // In a cluster this is the ConfigMap argocd-ssh-known-hosts-cm, mounted.
  writeFileSync(inside('ssh/ssh_known_hosts'), knownHosts);
  const password = randomBytes(24).toString('base64url');
  // Whoever can write to this Redis decides what Argo CD deploys, and loopback is open to every user of the machine.
  writeFileSync(
    inside('redis/redis.conf'),
    `bind 127.0.0.1\nrequirepass ${password}\nsave ""\nappendonly no\ndir ${inside('redis')}\n`,
    { mode: 0o600 },
  );
  return {
    repoServer: inside('bin/argocd-repo-server'),
    controller: inside('bin/argocd-application-controller'),
    redisSettings: inside('redis/redis.conf'),
    environment: {
      PATH: `${inside('bin')}:${path}`,
      HOME: inside('home'),
      // It keeps its clones here.
      TMPDIR: inside('tmp'),
      KUBECONFIG: kubeconfigFile,
      REDIS_PASSWORD: password,
      ARGOCD_FAKE_IN_CLUSTER: 'true',
      ARGOCD_TLS_DATA_PATH: inside('tls'),
      ARGOCD_SSH_DATA_PATH: inside('ssh'),
      ARGOCD_GPG_DATA_PATH: inside('gpg'),
      ARGOCD_GNUPGHOME: inside('gnupg'),
      ARGOCD_GPG_ENABLED: 'false',
      // In /tmp otherwise, where a second Argo CD would take it away.
      ARGOCD_ASK_PASS_SOCK: inside('ask-pass.sock'),
      ARGOCD_PLUGINSOCKFILEPATH: inside('plugins'),
    },
  };
}

/** What it reads in its own namespace: settings, most of them empty, and the project that everybody may use. */
export async function applySettings(
  connection: Pick<ClusterConnection, 'request'>,
  namespace: string,
  knownHosts: string,
): Promise<void> {
  const apply = (path: string, object: object) =>
    connection.request(`${path}?fieldManager=stagecoach-setup&force=true`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: object,
      accept: [],
    });
  const named = (name: string) => ({ name, namespace, labels: { 'app.kubernetes.io/part-of': 'argocd' } });
  const core = `/api/v1/namespaces/${namespace}`;
  await apply(core, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await Promise.all([
    ...Object.entries({
      'argocd-cm': {},
      'argocd-rbac-cm': {},
      'argocd-cmd-params-cm': {},
      'argocd-ssh-known-hosts-cm': { ssh_known_hosts: knownHosts },
      'argocd-tls-certs-cm': {},
    }).map(([name, data]) =>
      apply(`${core}/configmaps/${name}`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: named(name), data }),
    ),
    apply(`${core}/secrets/argocd-secret`, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: named('argocd-secret'),
      stringData: { 'server.secretkey': randomBytes(24).toString('base64url') },
    }),
    apply(`/apis/argoproj.io/v1alpha1/namespaces/${namespace}/appprojects/default`, defaultAppProject(namespace)),
  ]);
}
