import { applications, components, secrets, snapshots } from '../../shared/contracts/kubernetes/kinds.ts';
import { repositorySecretName } from '../../shared/domain/gitops/names.ts';
import { argoNamespace } from './gitops-world.ts';
import { listObjects } from './list-objects.ts';
import type { ReleaseWorld } from './release-world.ts';

/** The life of one Application with two Components, act by act. */
export const acts = ['create', 'remove', 'end'] as const;
export type Act = (typeof acts)[number];

export interface Story {
  readonly namespace: string;
  /** Of the Application. */
  uid: string;
}

const image = (name: string) => `quay.io/shop/${name}:1`;
const names = ['web', 'api'];

export async function openStory(world: ReleaseWorld): Promise<Story> {
  return { namespace: (await world.namespace()).name, uid: '' };
}

/** What the tenant does. */
export async function perform(act: Act, { cluster }: ReleaseWorld, story: Story): Promise<void> {
  const { namespace } = story;
  switch (act) {
    case 'create': {
      const { metadata } = await cluster.create(applications, {
        metadata: { namespace, name: 'shop' },
        spec: { displayName: 'shop' },
      });
      story.uid = metadata.uid;
      for (const name of names)
        await cluster.create(components, {
          metadata: { namespace, name },
          spec: { application: 'shop', componentName: name, containerImage: image(name) },
        });
      break;
    }
    case 'remove':
      await cluster.remove(components, { namespace, name: 'web' });
      break;
    default:
      await cluster.remove(applications, { namespace, name: 'shop' });
  }
}

/** What is there of the story, in a form that two runs can be compared by. */
export async function outcomeOf({ cluster, sql, git }: ReleaseWorld, { namespace, uid }: Story): Promise<object> {
  const application = await cluster.read(applications, { namespace, name: 'shop' });
  const told = await listObjects(cluster, components, namespace);
  const [row] = await sql`select p.sequence::int, p.snapshot, r.url from application_place p
    left join gitops_repository r on r.id = p.repository_id where p.namespace = ${namespace}`;
  const snapshot = row && (await cluster.read(snapshots, { namespace, name: row['snapshot'] as string }));
  const secret = await cluster.read(secrets, { namespace: argoNamespace, name: repositorySecretName(uid) });
  const [counts] = await sql`
    select (select count(*)::int from component_place where namespace = ${namespace}) as components,
           (select count(*)::int from repository_credentials where id = ${uid}) as credentials,
           (select count(*)::int from knock where tenant = ${namespace}) as knocks,
           (select count(*)::int from lease) as leases`;
  const url = application?.status?.gitops?.repositoryURL;
  return {
    ...counts,
    conditions: [application, ...told].map((one) => one?.status?.conditions.map(({ message }) => message)),
    isKeptWhereItSays: row?.['url'] === url,
    isRepositoryThere: url !== undefined && (await git.git(url, 'rev-parse', '--git-dir').then(Boolean, () => false)),
    isOpenForArgo: secret !== undefined,
    sequence: row?.['sequence'],
    images: snapshot?.spec.components.map(({ containerImage }) => containerImage),
    snapshots: (await listObjects(cluster, snapshots, namespace)).length,
  };
}

const ofApplication = ['Application has been successfully created'];
const ofComponent = ['Component has been successfully created'];
const alive = {
  knocks: 0,
  leases: 0,
  credentials: 1,
  isKeptWhereItSays: true,
  isRepositoryThere: true,
  isOpenForArgo: true,
};

/** The same at the end of every act, whatever happened on the way. */
export const endings: Readonly<Record<Act, object>> = {
  create: {
    ...alive,
    components: 2,
    conditions: [ofApplication, ofComponent, ofComponent],
    sequence: 1,
    images: [image('api'), image('web')],
    snapshots: 1,
  },
  remove: {
    ...alive,
    components: 1,
    conditions: [ofApplication, ofComponent],
    sequence: 2,
    images: [image('api')],
    snapshots: 2,
  },
  end: {
    ...alive,
    components: 1,
    credentials: 0,
    conditions: [undefined, ofComponent],
    isKeptWhereItSays: true,
    isRepositoryThere: false,
    isOpenForArgo: false,
    sequence: undefined,
    images: undefined,
    snapshots: 0,
  },
};
