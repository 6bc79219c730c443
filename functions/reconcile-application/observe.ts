import type { Application as ApplicationObject } from '../../shared/contracts/kubernetes/application.ts';
import { applications, components, namespaces } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Application, SeenApplication } from '../../shared/domain/application/application.ts';
import { chooseRepository } from '../../shared/domain/application/choose-repository.ts';
import { isKept } from '../../shared/domain/application/decide-application.ts';
import type { Subject } from '../../shared/domain/core/subject.ts';
import type { ObjectKey } from '../../shared/ports/cluster.ts';
import { listAll } from '../../shared/runtime/list-all.ts';
import { seeTenant } from '../../shared/runtime/see-tenant.ts';
import type { World } from '../../shared/runtime/world.ts';

type Needed = 'clusters' | 'places' | 'credentials' | 'tenants' | 'argoCdNamespaces' | 'repositoryHost';
export interface Services extends Pick<World, Needed> {
  readonly memory: { refusal: string | undefined };
}

/** What the rule sees. What opens a repository is in here, so it is never told to anybody. */
export interface SeenByStep extends SeenApplication {
  /** The version of the object; undefined where there is none. */
  readonly version: string | undefined;
}

export async function observeApplication(
  { namespace, name, version }: Subject,
  services: Services,
  signal: AbortSignal,
): Promise<SeenByStep> {
  const { clusters, places, credentials, repositoryHost, memory } = services;
  const key = { namespace, name };
  const [object, home, stored, opening] = await Promise.all([
    clusters.local.read(applications, key, { signal, atLeast: version }),
    clusters.local.read(namespaces, { namespace: '', name: namespace }, { signal }),
    places.observe(key),
    credentials.observe('Application', key),
  ]);
  const application = object && applicationOf(object);
  const seen: SeenByStep = {
    namespace,
    name,
    application,
    // Where even the namespace is gone, nothing is begun.
    isNamespaceGoing: home === undefined || home.metadata.deletionTimestamp !== undefined,
    stored,
    credentials: opening,
    root: repositoryHost.root,
    own: undefined,
    components: [],
    refusal: memory.refusal,
    version: object?.metadata.resourceVersion,
  };
  if (application === undefined || application.isDeleting || home === undefined || seen.isNamespaceGoing) return seen;

  const choice = chooseRepository(application, seen);
  const row = stored.find(({ uid }) => uid === application.uid);
  const isOwn = choice.kind === 'place' && choice.place.isMade;
  const [tenant, names] = await Promise.all([
    isOwn ? seeTenant(services, { name: namespace, uid: home.metadata.uid }, signal) : undefined,
    isKept(choice, row) ? [] : componentsOf(key, services, signal),
  ]);
  const own = tenant && { credential: repositoryHost.credential(), tenant };
  return { ...seen, own, components: names };
}

async function componentsOf(
  { namespace, name }: ObjectKey,
  { clusters }: Services,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const all = await listAll(clusters.local, components, { namespace, signal });
  return all.filter(({ spec }) => spec.application === name).map(({ metadata }) => metadata.name);
}

function applicationOf({ metadata, spec, status }: ApplicationObject): Application {
  const { renderedBy, ...repository } = spec.gitOpsRepository;
  return {
    uid: metadata.uid,
    isDeleting: metadata.deletionTimestamp !== undefined,
    isRenderedByOthers: renderedBy === 'External',
    repository,
    said: status?.conditions ?? [],
    gitops: status?.gitops,
  };
}
