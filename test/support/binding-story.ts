import {
  applications,
  bindings,
  components,
  environments,
  gitOpsDeployments,
  snapshots,
} from '../../shared/contracts/kubernetes/kinds.ts';
import { listObjects } from './list-objects.ts';
import type { ReleaseWorld } from './release-world.ts';

/** The life of one Binding with two components, act by act. */
export const acts = ['create', 'change', 'end'] as const;
export type Act = (typeof acts)[number];

export interface Story {
  readonly namespace: string;
}

const image = (name: string) => `quay.io/shop/${name}:1`;
const key = 'shop-dev-binding';

/** What a Binding stands on: none of it is what the process dies over. */
export async function openStory(world: ReleaseWorld): Promise<Story> {
  const { name: namespace } = await world.namespace();
  const { cluster } = world;
  await cluster.create(applications, { metadata: { namespace, name: 'shop' }, spec: { displayName: 'shop' } });
  await cluster.create(environments, {
    metadata: { namespace, name: 'dev' },
    spec: { displayName: 'dev', deploymentStrategy: 'AppStudioAutomated' },
  });
  for (const name of ['api', 'web'])
    await cluster.create(components, {
      metadata: { namespace, name },
      spec: { application: 'shop', componentName: name, containerImage: image(name) },
    });
  for (const [name, parts] of Object.entries({ both: ['api', 'web'], less: ['api'] }))
    await cluster.create(snapshots, {
      metadata: { namespace, name },
      spec: {
        application: 'shop',
        components: parts.map((part) => ({ name: part, containerImage: image(part) })),
      },
    });
  await world.settle();
  return { namespace };
}

/** What the tenant does. */
export async function perform(act: Act, { cluster }: ReleaseWorld, { namespace }: Story): Promise<void> {
  const binding = { namespace, name: key };
  switch (act) {
    case 'create':
      await cluster.create(bindings, {
        metadata: binding,
        spec: { application: 'shop', environment: 'dev', snapshot: 'both', components: [] },
      });
      break;
    case 'change':
      await cluster.patch(bindings, binding, {
        spec: { snapshot: 'less', components: [{ name: 'api', configuration: { replicas: 3 } }] },
      });
      break;
    default:
      await cluster.remove(bindings, binding);
  }
}

/** What is there of the story, in a form that two runs can be compared by. */
export async function outcomeOf({ cluster, sql, git }: ReleaseWorld, { namespace }: Story): Promise<object> {
  const url = (await cluster.read(applications, { namespace, name: 'shop' }))?.status?.gitops?.repositoryURL ?? '';
  const binding = await cluster.read(bindings, { namespace, name: key });
  const paths = (await git.git(url, 'ls-tree', '-r', '--name-only', 'main').catch(() => '')).split('\n');
  const commits = await git.commits(url);
  const deployments = await listObjects(cluster, gitOpsDeployments, namespace);
  const told = binding?.status?.components.map(({ gitOpsRepository }) => gitOpsRepository?.commitID);
  const [counts] = await sql`
    select (select count(*)::int from binding_overlay where namespace = ${namespace}) as rows,
           (select count(*)::int from binding_overlay where namespace = ${namespace}
              and rendered_digest is distinct from wanted_digest) as pending,
           (select count(*)::int from knock where tenant = ${namespace}) as knocks,
           (select count(*)::int from lease) as leases`;
  return {
    ...counts,
    deployments: deployments.map(({ metadata }) => metadata.labels['appstudio.openshift.io/component']).toSorted(),
    overlays: paths
      .filter((path) => /overlays\/dev\/kustomization\.yaml$/.test(path))
      .map((path) => path.split('/')[1])
      .toSorted(),
    isThree: await git.git(url, 'grep', '-qE', 'count: 3', 'main').then(
      () => true,
      () => false,
    ),
    // However often it died, every change is one commit.
    commits: commits.length,
    isTold: told?.every((commit) => commits.some(({ id }) => id === commit)),
  };
}

const alive = { rows: 1, pending: 0, knocks: 0, leases: 0, isTold: true };

/** The same at the end of every act, whatever happened on the way. */
export const endings: Readonly<Record<Act, object>> = {
  create: { ...alive, overlays: ['api', 'web'], deployments: ['api', 'web'], isThree: false, commits: 1 },
  change: { ...alive, overlays: ['api'], deployments: ['api'], isThree: true, commits: 2 },
  end: { ...alive, rows: 0, overlays: [], deployments: [], isThree: false, commits: 3, isTold: undefined },
};
