import { AsyncLocalStorage } from 'node:async_hooks';
import { loadFunctions } from '../../infra/host/load-functions.ts';
import { readMap } from '../../infra/map.ts';
import { openProvisioners } from '../../shared/adapters/provisioners/open-provisioners.ts';
import { Refused } from '../../shared/ports/trouble.ts';
import { applyRoles, serviceNamespace } from './apply-roles.ts';
import { type GitOpsWorld, openGitOpsWorld } from './gitops-world.ts';

type Request = GitOpsWorld['connection']['request'];

interface Settings {
  /** The files of infra/kubernetes/rbac/optional that the suite needs. */
  readonly optional?: readonly string[] | undefined;
  /** Argo CDs stand in other namespaces than those that are configured. */
  readonly hasOtherEngines?: boolean | undefined;
}

const root = new URL('../..', import.meta.url).pathname;

/** Who asks: the name of a function. Nobody: the test itself, which may do everything. */
const asking = new AsyncLocalStorage<string>();

/** Runs something as a function would, with its ServiceAccount. */
function as<Result>(name: string, run: () => Result): Result {
  return asking.run(name, run);
}

/**
 * A world in which every function asks the tenants' cluster as a ServiceAccount of its own, with the roles of
 * infra/kubernetes/rbac and no others. What one of them is refused makes closing the world fail, so that a suite cannot
 * pass by luck; and the step that met it ends otherwise than the suite expects.
 */
export function asServiceAccounts(
  open: () => Promise<GitOpsWorld> = () => openGitOpsWorld(),
  { optional = [], hasOtherEngines = false }: Settings = {},
): () => Promise<GitOpsWorld> {
  return async () => {
    const world = await open();
    const argoNamespaces = hasOtherEngines ? 'anywhere' : world.world.argoCdNamespaces;
    await applyRoles(world.bare, { argoNamespaces, optional });
    const refused = new Set<string>();
    const { request } = world.connection;
    const asServiceAccount: Request = async (path, settings = {}) => {
      const name = asking.getStore();
      if (name === undefined) return request(path, settings);
      const headers = { ...settings.headers, 'impersonate-user': `system:serviceaccount:${serviceNamespace}:${name}` };
      try {
        return await request(path, { ...settings, headers });
      } catch (error) {
        if (isForbidden(error)) refused.add(error.message);
        throw error;
      }
    };
    Object.assign(world.connection, { request: asServiceAccount });
    await asThemselves();
    return {
      ...world,
      async close() {
        await world.close();
        if (refused.size > 0) throw new Error(`A role is too small:\n${[...refused].toSorted().join('\n')}`);
      },
    };
  };
}

/**
 * Every function says who it is while it runs, whoever calls it. The functions are the same objects wherever they are
 * imported, so this is done once in a process; it means nothing to a connection that does not ask.
 */
const asThemselves = once(async () => {
  const { functions, schedules, webhooks } = await loadFunctions(readMap().functions, root);
  for (const [name, door] of [...functions, ...webhooks]) {
    const { handle } = door as { handle: (...given: unknown[]) => unknown };
    Object.assign(door, { handle: (...given: unknown[]) => as(name, () => handle(...given)) });
  }
  for (const { door } of schedules) {
    const { tick } = door;
    Object.assign(door, { tick: (...given: Parameters<typeof tick>) => as(door.name, () => tick(...given)) });
  }
});

function once(make: () => Promise<void>): () => Promise<void> {
  let made: Promise<void> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** What RBAC refuses, and not what a webhook or a quota does. */
function isForbidden(error: unknown): error is Refused {
  return (
    error instanceof Refused && error.reason === 'Forbidden' && / cannot | attempting to grant /.test(error.message)
  );
}

/** The functions on the embedded API server, each as itself, with what is shipped by default: nobody makes hosted clusters. */
export const openImpersonatingWorld = asServiceAccounts(() =>
  openGitOpsWorld({
    machine: (usual) => ({
      ...usual,
      world: { ...usual.world, provisioners: openProvisioners({ local: usual.world.clusters.local }) },
    }),
  }),
);
