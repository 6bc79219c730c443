import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Application } from '../../../../shared/contracts/kubernetes/application.ts';
import {
  applications,
  bindings,
  components,
  environments,
  gitOpsDeployments,
  repositoryCredentials,
  secrets,
  snapshots,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import { secretTypes } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import type { SnapshotEnvironmentBinding } from '../../../../shared/contracts/kubernetes/snapshot-environment-binding.ts';
import { gitTokens, type ReleaseWorld } from '../../../support/release-world.ts';

interface NewEnvironment {
  readonly strategy?: 'Manual' | 'AppStudioAutomated';
  readonly env?: Readonly<Record<string, string>>;
  readonly spec?: object;
}

/** Hands and eyes for stories about applications that are brought to environments: everything in one fresh namespace. */
export async function openReleaseScene(world: ReleaseWorld) {
  const { name: namespace } = await world.namespace('releases');
  const { cluster, git } = world;
  const variables = (env: Readonly<Record<string, string>> = {}) =>
    Object.entries(env).map(([name, value]) => ({ name, value }));

  const scene = {
    namespace,
    world,
    settle: () => world.settle(),
    async application(name = 'shop', spec: object = {}): Promise<void> {
      await cluster.create(applications, { metadata: { namespace, name }, spec: { displayName: name, ...spec } });
    },
    async component(name: string, image: string, spec: object = {}, application = 'shop'): Promise<void> {
      await cluster.create(components, {
        metadata: { namespace, name },
        spec: { application, componentName: name, containerImage: image, ...spec },
      });
    },
    async environment(
      name: string,
      { strategy = 'AppStudioAutomated', env, spec }: NewEnvironment = {},
    ): Promise<void> {
      await cluster.create(environments, {
        metadata: { namespace, name },
        spec: {
          displayName: name,
          deploymentStrategy: strategy,
          ...(env !== undefined && { configuration: { env: variables(env) } }),
          ...spec,
        },
      });
    },
    async snapshot(name: string, images: Readonly<Record<string, string>>, application = 'shop'): Promise<void> {
      await cluster.create(snapshots, {
        metadata: { namespace, name },
        spec: {
          application,
          components: Object.entries(images).map(([component, containerImage]) => ({
            name: component,
            containerImage,
          })),
        },
      });
    },
    async bind(
      environment: string,
      snapshot: string,
      more: { components?: object[]; name?: string; application?: string } = {},
    ) {
      const { application = 'shop', name = `${application}-${environment}-binding` } = more;
      await cluster.create(bindings, {
        metadata: { namespace, name },
        spec: { application, environment, snapshot, components: more.components ?? [] },
      });
      return name;
    },
    async change(name: string, spec: object): Promise<void> {
      await cluster.patch(bindings, { namespace, name }, { spec });
    },
    async read(name: string): Promise<SnapshotEnvironmentBinding> {
      const found = await cluster.read(bindings, { namespace, name });
      if (found === undefined) throw new Error(`there is no Binding ${name}`);
      return found;
    },
    /** One condition of a Binding, as `status reason: message`. */
    async says(name: string, type: string): Promise<string | undefined> {
      const { status } = await scene.read(name);
      const all = [
        ...(status?.bindingConditions ?? []),
        ...(status?.gitopsRepoConditions ?? []),
        ...(status?.componentDeploymentConditions ?? []),
      ];
      const found = all.find((one) => one.type === type);
      return found && `${found.status} ${found.reason}: ${found.message}`;
    },
    async deployments() {
      const all = [];
      for await (const page of cluster.list(gitOpsDeployments, { namespace })) all.push(...page);
      return all;
    },
    /** The address of the repository that the service made for an Application. */
    async repository(application = 'shop'): Promise<string> {
      const found: Application | undefined = await cluster.read(applications, { namespace, name: application });
      return found?.status?.gitops?.repositoryURL ?? '';
    },
    async files(url?: string) {
      return git.files(url ?? (await scene.repository()));
    },
    async commits(url?: string) {
      return git.commits(url ?? (await scene.repository()));
    },
    /** A repository of the tenant's own, and what opens it. */
    async ownRepository(name: string, token: string | null = gitTokens.tenant): Promise<string> {
      const url = await git.createRepository(`${namespace}/${name}`);
      if (token !== null) await scene.credential(name, url, token);
      return url;
    },
    async credential(name: string, url: string, token: string): Promise<void> {
      await cluster.create(secrets, {
        metadata: { namespace, name },
        type: secretTypes.repositoryCredential,
        stringData: { username: 'git', password: token },
      });
      await cluster.create(repositoryCredentials, {
        metadata: { namespace, name },
        spec: { repository: url, secret: name },
      });
    },
  };
  return scene;
}

export type ReleaseScene = Awaited<ReturnType<typeof openReleaseScene>>;

/** One world for a suite, and a scene of its own for each of its tests. */
export function inFreshScenes(
  open: () => Promise<ReleaseWorld>,
  begin: (scene: ReleaseScene) => void | Promise<void>,
): void {
  let world: ReleaseWorld;
  beforeAll(async () => {
    world = await open();
  });
  afterAll(() => world?.close());
  beforeEach(async () => begin(await openReleaseScene(world)));
}
