import type { ClusterConnection } from '../../../shared/adapters/kubernetes/connection.ts';
import { type ListWatch, startListWatch } from '../../../shared/adapters/kubernetes/list-watch.ts';
import type { WatchedObject, WatchedResource } from '../../../shared/adapters/kubernetes/watched-object.ts';
import type { Logger } from '../../../shared/adapters/telemetry/logger.ts';
import { isFields } from './kube-object.ts';
import type { AppProject } from './project/app-project.ts';
import type { ArgoSecret } from './source/repository-credentials.ts';

export interface WatchedKinds {
  applications(): readonly string[];
  project(name: string): AppProject | undefined;
  secrets(): readonly ArgoSecret[];
  /** Of the ConfigMap argocd-ssh-known-hosts-cm. */
  knownHosts(): string | undefined;
  /** Resolves when all of them are known. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

export interface WatchedKindsSettings {
  readonly connection: ClusterConnection;
  readonly namespace: string;
  readonly log: Logger;
  readonly now: () => number;
  readonly onApplication: (name: string, gone: boolean) => void;
  readonly onProject: (name: string) => void;
  readonly onSecrets: () => void;
}

const readyTimeoutMs = 20_000;

/** What Argo CD keeps in its own namespace, as it is now. */
export function watchKinds(settings: WatchedKindsSettings): WatchedKinds {
  const { connection, namespace, log, now } = settings;
  const applications = new Set<string>();
  const projects = new Map<string, AppProject>();
  const secrets = new Map<string, ArgoSecret>();
  const hosts = new Map<string, string>();

  function follow(resource: Omit<WatchedResource, 'namespace'>, take: (object: WatchedObject, gone: boolean) => void) {
    return startListWatch({
      connection,
      resource: { ...resource, namespace },
      onEvents: async (batch) => {
        for (const { type, object } of batch) take(object, type === 'DELETED');
      },
      log,
      pace: { now },
    });
  }
  const argo = { group: 'argoproj.io', version: 'v1alpha1' };
  const core = { group: '', version: 'v1' };
  const watches: ListWatch[] = [
    follow({ ...argo, plural: 'applications', kind: 'Application' }, ({ metadata }, gone) => {
      if (gone) applications.delete(metadata.name);
      else applications.add(metadata.name);
      settings.onApplication(metadata.name, gone);
    }),
    follow({ ...argo, plural: 'appprojects', kind: 'AppProject' }, (object, gone) => {
      if (gone) projects.delete(object.metadata.name);
      else projects.set(object.metadata.name, object as unknown as AppProject);
      settings.onProject(object.metadata.name);
    }),
    follow(
      { ...core, plural: 'secrets', kind: 'Secret', labelSelector: 'argocd.argoproj.io/secret-type' },
      (object, gone) => {
        if (gone) secrets.delete(object.metadata.name);
        else secrets.set(object.metadata.name, readSecret(object));
        settings.onSecrets();
      },
    ),
    follow(
      { ...core, plural: 'configmaps', kind: 'ConfigMap', labelSelector: 'app.kubernetes.io/part-of=argocd' },
      (object, gone) => {
        if (object.metadata.name !== 'argocd-ssh-known-hosts-cm') return;
        const data = isFields(object['data']) ? object['data'] : {};
        hosts.set('', gone ? '' : String(data['ssh_known_hosts'] ?? ''));
      },
    ),
  ];

  return {
    applications: () => [...applications],
    project: (name) => projects.get(name),
    secrets: () => [...secrets.values()],
    knownHosts: () => hosts.get(''),
    async ready() {
      const deadline = Date.now() + readyTimeoutMs;
      while (!watches.every((one) => one.state().synced && one.state().pending === 0)) {
        const trouble = watches.map((one) => one.state().lastError?.message).find((one) => one !== undefined);
        if (Date.now() > deadline)
          throw new Error(`The Argo CD stand-in cannot read its namespace ${namespace}: ${trouble ?? 'no answer'}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    async stop() {
      await Promise.all(watches.map((one) => one.stop()));
    },
  };
}

function readSecret(object: WatchedObject): ArgoSecret {
  const data = isFields(object['data']) ? object['data'] : {};
  return {
    name: object.metadata.name,
    type: object.metadata.labels?.['argocd.argoproj.io/secret-type'] ?? '',
    data: Object.fromEntries(
      Object.entries(data).map(([name, value]) => [name, Buffer.from(String(value), 'base64').toString('utf8')]),
    ),
  };
}
