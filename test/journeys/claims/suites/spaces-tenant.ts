import { parse } from 'yaml';
import {
  namespaces,
  type ObjectKind,
  type ObjectOf,
  secrets,
  spaceRequests,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import { labels } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import { until } from '../../../support/until.ts';

type Request = ObjectOf<typeof spaceRequests.Schema>;

interface Opened {
  readonly clusters: readonly { readonly name: string; readonly cluster: Readonly<Record<string, unknown>> }[];
  readonly contexts: readonly { readonly name: string; readonly context: Readonly<Record<string, unknown>> }[];
  readonly users: readonly { readonly name: string; readonly user: { readonly token: string } }[];
  readonly 'current-context': string;
}

export function readyOf(request: Request | undefined) {
  return request?.status?.conditions.find(({ type }) => type === 'Ready');
}

/** One tenant who asks for spaces, and what was made for them. */
export async function openSpaceTenant(world: GitOpsWorld, name = 'dev') {
  const namespace = await world.namespace();
  const key = { namespace: namespace.name, name };

  const tenant = {
    namespace,
    key,
    ask(but: { readonly tierName?: string; readonly annotations?: Readonly<Record<string, string>> } = {}) {
      return world.cluster.create(spaceRequests, {
        metadata: { ...key, annotations: but.annotations ?? {} },
        spec: { tierName: but.tierName ?? 'appstudio-env' },
      });
    },
    read: () => world.cluster.read(spaceRequests, key),
    /** Lets everybody work until it is so; what waits for a time has its time meanwhile. */
    until<Found>(what: string, look: () => Promise<Found | undefined | false>): Promise<Found> {
      return until(
        what,
        async () => {
          await world.settle();
          const found = await look();
          if (found === undefined || found === false) await world.wake();
          return found;
        },
        50_000,
      );
    },
    untilReady(is: (request: Request) => boolean = () => true): Promise<Request> {
      return tenant.until('a SpaceRequest that is Ready', async () => {
        const request = await tenant.read();
        return request !== undefined && readyOf(request)?.status === 'True' && is(request) && request;
      });
    },
    /** The namespaces that say that they were made for this request. */
    places: () =>
      listed(world, namespaces, `${labels.spaceRequestNamespace}=${namespace.name},${labels.spaceRequest}=${name}`),
    /** The Secrets that open them. */
    openers: () => listed(world, secrets, `${labels.spaceRequest}=${name}`, namespace.name),
    async kubeconfig(): Promise<Opened> {
      const request = await tenant.read();
      const secretName = request?.status?.namespaceAccess[0]?.secretRef ?? '';
      const secret = await world.cluster.read(secrets, { namespace: namespace.name, name: secretName });
      return parse(Buffer.from(secret?.data['kubeconfig'] ?? '', 'base64').toString('utf8')) as Opened;
    },
    /** A look that nothing has asked for, and what it wrote. */
    async lookAgain(): Promise<readonly string[]> {
      await world.settle();
      world.connection.asked.length = 0;
      world.knock('space-request.changed.v1', key);
      await world.settle();
      return world.connection.asked.flatMap(({ method, path }) => (method === 'GET' ? [] : [`${method} ${path}`]));
    },
  };
  return tenant;
}

export type SpaceTenant = Awaited<ReturnType<typeof openSpaceTenant>>;

interface Listed {
  readonly metadata: ObjectOf<typeof namespaces.Schema>['metadata'];
}

async function listed(
  { cluster }: GitOpsWorld,
  kind: ObjectKind,
  labelSelector: string,
  namespace?: string,
): Promise<readonly Listed[]> {
  const found: Listed[] = [];
  for await (const page of cluster.list(kind, { labelSelector, namespace })) found.push(...(page as readonly Listed[]));
  return found;
}
