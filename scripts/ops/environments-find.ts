import type { DeploymentTargetClaim } from '../../shared/contracts/kubernetes/deployment-target-claim.ts';
import type { Environment } from '../../shared/contracts/kubernetes/environment.ts';
import { claims, classes, environments } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Cluster } from '../../shared/ports/cluster.ts';
import { Exit, exits } from './exit.ts';

const sandbox = 'appstudio.redhat.com/devsandbox';

/** The Environment of this name: `namespace/name`, or a name that only one has, of the given namespace or of all. */
export async function findEnvironment(
  cluster: Cluster,
  named: string,
  namespace: string | undefined,
): Promise<Environment> {
  const parts = named.split('/');
  if (parts.some((part) => part === '') || parts.length > 2)
    throw new Exit(exits.wrongUsage, `Name the environment as namespace/name; "${named}" is something else.`);
  const [first = '', second] = parts;
  if (second !== undefined || namespace !== undefined) {
    const key = second === undefined ? { namespace: namespace ?? '', name: first } : { namespace: first, name: second };
    const found = await cluster.read(environments, key);
    if (found === undefined) throw missing(`${key.namespace}/${key.name}`);
    return found;
  }
  const found: Environment[] = [];
  for await (const page of cluster.list(environments, { fieldSelector: `metadata.name=${first}` }))
    found.push(...page.filter(({ metadata }) => metadata.name === first));
  const [one, ...others] = found;
  if (one === undefined) throw missing(first);
  if (others.length > 0) {
    const places = found.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    throw new Exit(exits.wrongUsage, `Several Environments are called ${first}: say which, ${places.join(', ')}.`);
  }
  return one;
}

function missing(name: string): Exit {
  return new Exit(exits.notFound, `There is no Environment ${name}. "environments list" shows them all.`);
}

type ClaimSpec = Pick<DeploymentTargetClaim['spec'], 'deploymentTargetClassName'> & {
  readonly resources?: DeploymentTargetClaim['spec']['resources'];
  readonly arch?: string;
};

/**
 * What the clone's claim asks for: the class that was named, or all that the source's claim asks for, or the first class
 * that makes namespaces.
 */
export async function chooseClaimSpec(
  cluster: Cluster,
  { metadata, spec }: Environment,
  asked: string | undefined,
): Promise<ClaimSpec> {
  if (asked !== undefined) {
    await checkClass(cluster, asked, '');
    return { deploymentTargetClassName: asked };
  }
  const name = spec.configuration?.target?.deploymentTargetClaim?.claimName ?? '';
  const own = name === '' ? undefined : await cluster.read(claims, { namespace: metadata.namespace, name });
  const className = own?.spec.deploymentTargetClassName ?? '';
  if (own !== undefined && className !== '') {
    await checkClass(cluster, className, `, which the claim ${name} names`);
    const { resources, arch } = own.spec;
    return {
      deploymentTargetClassName: className,
      ...(resources !== undefined && { resources }),
      ...(arch !== '' && { arch }),
    };
  }
  for await (const page of cluster.list(classes)) {
    const found = page.find((one) => one.spec.provisioner === sandbox && one.metadata.deletionTimestamp === undefined);
    if (found !== undefined) return { deploymentTargetClassName: found.metadata.name };
  }
  throw new Exit(
    exits.notFound,
    `There is no DeploymentTargetClass with the provisioner ${sandbox}: kubectl apply -f infra/kubernetes/classes, or name one with --class.`,
  );
}

async function checkClass(cluster: Cluster, name: string, which: string): Promise<void> {
  if ((await cluster.read(classes, { namespace: '', name })) !== undefined) return;
  throw new Exit(
    exits.notFound,
    `There is no DeploymentTargetClass ${name}${which}. Make it, or name another with --class.`,
  );
}
