import { appProjects, argoApplications, namespaces } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Cluster, ClusterAccess } from '../../shared/ports/cluster.ts';
import { isTrouble, Refused } from '../../shared/ports/trouble.ts';
import type { Context, Result } from './context.ts';
import { Exit, exits } from './exit.ts';
import type { Paint } from './paint.ts';
import { readEngineAccess } from './read-engine-access.ts';

interface EnginesAdd {
  readonly id: string;
  readonly namespace: string;
  readonly cluster: string;
  readonly host: string;
  readonly transport: 'queue' | 'agent';
  readonly done: 'added' | 'renewed';
}

interface EnginesAddArguments {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
  readonly transport?: string | undefined;
  readonly why?: string | undefined;
}

/** Registers an Argo CD of another cluster, after looking whether it is there. The token is sealed before it is stored. */
export async function runEnginesAdd(context: Context, args: EnginesAddArguments): Promise<Result<EnginesAdd>> {
  const { kubeconfig, namespace, transport = 'queue', why = '' } = args;
  if (kubeconfig === undefined || namespace === undefined)
    throw new Exit(exits.wrongUsage, 'Say where it is: --kubeconfig <file> --namespace <namespace of Argo CD>.');
  if (transport !== 'queue' && transport !== 'agent')
    throw new Exit(exits.wrongUsage, '--transport must be queue or agent.');
  const access = readEngineAccess(kubeconfig, args.context);
  const { clusterId, instanceId } = await look(context.world().clusters.at(access), access, namespace);
  await refuseOwnCluster(context, clusterId);

  const insecure = access.insecure ? '\nIts certificate will NOT be checked (insecure-skip-tls-verify).' : '';
  await context.approve(
    `Will register the Argo CD in namespace ${namespace} (${instanceId}) of ${access.server} (${clusterId}), told by ${transport}, as ${context.who}.${insecure}`,
  );
  const done = await context.engines.add(
    { clusterId, instanceId, namespace, transport, access },
    {
      who: context.who,
      action: 'add-engine',
      subject: `engines/${instanceId}`,
      tenant: '',
      details: { why, namespace, cluster: clusterId, host: access.server, transport, insecure: access.insecure },
      cause: context.newId(),
    },
  );
  const value = { id: instanceId, namespace, cluster: clusterId, host: access.server, transport, done } as const;
  return { code: exits.ok, value };
}

export function renderEnginesAdd({ id, namespace, host, transport, done }: EnginesAdd, paint: Paint): string {
  const what = done === 'added' ? 'registered' : 'was known; its credentials are now these';
  return `${paint.good(what)}  ${namespace} of ${host}, told by ${transport}\nIts id is ${id}.`;
}

/** Who it is, and whether what we shall need of it works. */
async function look(cluster: Cluster, access: ClusterAccess, name: string) {
  try {
    const [system, home, project] = await Promise.all([
      cluster.read(namespaces, { namespace: '', name: 'kube-system' }),
      cluster.read(namespaces, { namespace: '', name }),
      cluster.read(appProjects, { namespace: name, name: 'default' }),
    ]);
    if (system === undefined)
      throw new Exit(exits.failed, `${access.server} has no namespace kube-system, by whose UID a cluster is known.`);
    if (home === undefined || home.metadata.deletionTimestamp !== undefined)
      throw new Exit(exits.notFound, `${access.server} has no namespace ${name}.`);
    if (project === undefined)
      throw new Exit(
        exits.notFound,
        `There is no Argo CD in the namespace ${name} of ${access.server}: its AppProject "default" is missing.`,
      );
    for await (const _page of cluster.list(argoApplications, { namespace: name })) break;
    return { clusterId: system.metadata.uid, instanceId: home.metadata.uid };
  } catch (error) {
    if (!isTrouble(error)) throw error;
    const why = error instanceof Refused ? error.forUser : error.message;
    throw new Exit(exits.failed, `${access.server} cannot be used: ${why}.`, { cause: error });
  }
}

/** What is beside the tenants' own API needs no credentials, and must not look like another cluster. */
async function refuseOwnCluster(context: Context, clusterId: string): Promise<void> {
  const known = (await context.engines.list()).some((engine) => engine.local && engine.clusterId === clusterId);
  const own = known || clusterId === (await ownClusterId(context));
  if (own)
    throw new Exit(
      exits.wrongUsage,
      "This is the tenants' own cluster, whose Argo CDs register themselves: add the namespace to ARGO_CD_NAMESPACE.",
    );
}

/** Undefined where no cluster is configured for this machine; then the rows alone tell. */
async function ownClusterId(context: Context): Promise<string | undefined> {
  try {
    const { local } = context.world().clusters;
    return (await local.read(namespaces, { namespace: '', name: 'kube-system' }))?.metadata.uid;
  } catch {
    return undefined;
  }
}
