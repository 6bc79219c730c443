import { pathOf } from '../../../support/api-world.ts';
import type { ArgoApplication } from '../../../support/argo-application.ts';
import type { ArgoRepository, RepositoryFiles } from '../../../support/argo-repository.ts';
import { type ArgoWorld, localServer } from '../../../support/argo-world.ts';

type Fields = Readonly<Record<string, unknown>>;

/** As the service writes it for a GitOpsDeployment of type automated, but without end to the retries. */
export const automated = {
  automated: { prune: true, selfHeal: true, allowEmpty: true },
  syncOptions: ['PrunePropagationPolicy=background'],
};

export interface Given {
  readonly repository: ArgoRepository & { readonly first: string };
  /** Where it deploys to. */
  readonly namespace: string;
  readonly app: ArgoApplication;
}

export interface Wish {
  readonly path?: string;
  readonly targetRevision?: string;
  /** None: the application is a manual one. */
  readonly syncPolicy?: Fields;
  /** Over the rest of the spec. */
  readonly spec?: Fields;
  readonly metadata?: Fields;
  /** A namespace that is there already, or one that is not there at all. */
  readonly namespace?: string;
  /** False: Argo CD has no credentials for the repository. */
  readonly trusted?: boolean;
}

/** A repository with the files, an empty namespace, and an Application from the one to the other. */
export async function givenApplication(world: ArgoWorld, files: RepositoryFiles, wish: Wish = {}): Promise<Given> {
  const repository = await world.git.repository(files, wish.trusted);
  const namespace = wish.namespace ?? (await world.namespace());
  const app = await world.application(
    {
      source: { repoURL: repository.url, path: wish.path ?? '.', targetRevision: wish.targetRevision ?? 'main' },
      destination: { server: localServer, namespace },
      ...(wish.syncPolicy && { syncPolicy: wish.syncPolicy }),
      ...wish.spec,
    },
    wish.metadata,
  );
  return { repository, namespace, app };
}

export function configMap(name: string, value = 'first', metadata: Fields = {}): string {
  return manifest('v1', 'ConfigMap', { name, ...metadata }, { data: { value } });
}

export function deployment(name: string, replicas: number, image: string, spec: Fields = {}): string {
  const labels = { app: name };
  return manifest(
    'apps/v1',
    'Deployment',
    { name },
    {
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'main', image }] } },
        ...spec,
      },
    },
  );
}

/** Stays in progress until somebody gives it an address: no cluster of these tests does. */
export function loadBalancer(name: string, metadata: Fields = {}): string {
  const spec = { type: 'LoadBalancer', selector: { app: name }, ports: [{ port: 80 }] };
  return manifest('v1', 'Service', { name, ...metadata }, { spec });
}

/** JSON, which is YAML. */
export function manifest(apiVersion: string, kind: string, metadata: Fields, rest: Fields = {}): string {
  return `${JSON.stringify({ apiVersion, kind, metadata, ...rest })}\n`;
}

export function configMapPath(namespace: string, name?: string): string {
  return pathOf('v1', 'configmaps', namespace, name);
}

/** What a ConfigMap made by configMap() says; undefined where there is none. */
export async function liveValue(world: ArgoWorld, namespace: string, name: string): Promise<string | undefined> {
  const { code, body } = await world.api.get(configMapPath(namespace, name));
  return code === 200 ? body.data['value'] : undefined;
}
