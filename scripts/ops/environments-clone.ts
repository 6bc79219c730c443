import type { Environment } from '../../shared/contracts/kubernetes/environment.ts';
import { claims, environments } from '../../shared/contracts/kubernetes/kinds.ts';
import { annotations } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import { timeToLiveSeconds } from '../../shared/domain/claim/time-to-live.ts';
import type { Cluster, NewObject } from '../../shared/ports/cluster.ts';
import { Conflict } from '../../shared/ports/trouble.ts';
import { clusterTrouble } from './cluster-trouble.ts';
import type { Context, Result } from './context.ts';
import { copyOf, nameOfClaim, nameOfClone, readVariables } from './environments-copy.ts';
import { chooseClaimSpec, findEnvironment } from './environments-find.ts';
import { Exit, exits } from './exit.ts';
import { findNamespace } from './find-namespace.ts';
import { lengthInWords } from './in-words.ts';
import type { Paint } from './paint.ts';

export interface EnvironmentsClone {
  readonly namespace: string;
  readonly environment: string;
  readonly claim: string;
  readonly class: string;
  readonly source: string;
  readonly owner: string;
  readonly ttl: string;
  /** When the claim, and with it the clone, has lived long enough. */
  readonly endsAt: string;
}

interface CloneArguments {
  readonly environment: string;
  readonly ttl?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly env?: readonly string[] | undefined;
  readonly class?: string | undefined;
  readonly owner?: string | undefined;
  readonly why?: string | undefined;
}

/**
 * Makes an ephemeral copy of an Environment: a claim that ends by itself, and an Environment that goes with the claim,
 * because the claim owns it.
 */
export async function runEnvironmentsClone(context: Context, args: CloneArguments): Promise<Result<EnvironmentsClone>> {
  const { ttl = '', owner = context.who, why = '' } = args;
  const seconds = timeToLiveSeconds(ttl);
  if (seconds === undefined)
    throw new Exit(
      exits.wrongUsage,
      ttl === ''
        ? 'Say how long the clone lives: --ttl 4h.'
        : `--ttl does not understand "${ttl}". Write a length of time like 90m, 4h, 1h30m or 3d.`,
    );
  const variables = readVariables(args.env ?? []);
  const { local } = context.world().clusters;
  const source = await findEnvironment(local, args.environment, args.namespace);
  const { name: namespace } = await findNamespace(context, args.namespace ?? source.metadata.namespace);
  const environment = nameOfClone(source.metadata.name, args.name, context.newId());
  const claim = nameOfClaim(environment);
  const spec = await chooseClaimSpec(local, source, args.class);
  await refuseTaken(local, { namespace, environment, claim });

  const from = `${source.metadata.namespace}/${source.metadata.name}`;
  await context.approve(
    `Will clone ${from} as ${namespace}/${environment} for ${lengthInWords(seconds * 1_000)}, owned by ${owner}, with the claim ${claim} of class ${spec.deploymentTargetClassName}, as ${context.who}.`,
  );
  await context.ledger.record([
    {
      who: context.who,
      action: 'clone-environment',
      subject: `${namespace}/${environment}`,
      tenant: namespace,
      // Values of variables may be secrets; their names tell enough.
      details: { why, source: from, claim, ttl, owner, env: variables.map(({ name }) => name) },
      cause: context.newId(),
    },
  ]);
  const made = await makeClaim(local, {
    metadata: {
      namespace,
      name: claim,
      annotations: { [annotations.timeToLive.key]: ttl, [annotations.owner.key]: owner },
    },
    spec,
  });
  await makeEnvironment(local, made, copyOf(source, { name: environment, claim: made, variables }));
  const endsAt = new Date(Date.parse(made.creationTimestamp) + seconds * 1_000).toISOString();
  const className = spec.deploymentTargetClassName;
  return {
    code: exits.ok,
    value: { namespace, environment, claim, class: className, source: from, owner, ttl, endsAt },
  };
}

export function renderEnvironmentsClone(
  { namespace, environment, claim, source, endsAt }: EnvironmentsClone,
  paint: Paint,
): string {
  return [
    `${paint.good('cloned')}  ${source} as ${namespace}/${environment}, until ${endsAt}`,
    paint.dim(
      `Its claim is ${claim}. To end it sooner: kubectl delete -n ${namespace} deploymenttargetclaim/${claim}; the Environment goes with it.`,
    ),
  ].join('\n');
}

/** Before anything is made: a name that is taken must not cost a claim. */
async function refuseTaken(
  cluster: Cluster,
  {
    namespace,
    environment,
    claim,
  }: { readonly namespace: string; readonly environment: string; readonly claim: string },
): Promise<void> {
  if ((await cluster.read(environments, { namespace, name: environment })) !== undefined)
    throw new Exit(exits.failed, `There is an Environment ${namespace}/${environment} already: choose another --name.`);
  if ((await cluster.read(claims, { namespace, name: claim })) !== undefined) throw claimTaken(namespace, claim);
}

function claimTaken(namespace: string, claim: string): Exit {
  return new Exit(exits.failed, `There is a claim ${namespace}/${claim} already: choose another --name.`);
}

type Made = Environment['metadata'];

async function makeClaim(
  cluster: Cluster,
  claim: NewObject & { readonly metadata: { readonly namespace: string; readonly name: string } },
): Promise<Made> {
  const { namespace, name } = claim.metadata;
  try {
    return (await cluster.create(claims, claim)).metadata;
  } catch (error) {
    if (error instanceof Conflict) throw claimTaken(namespace, name);
    throw new Exit(
      exits.failed,
      `The claim ${namespace}/${name} was not made: ${clusterTrouble(error)}. Nothing else was done; "claims ${namespace}" shows whether it is there.`,
      { cause: error },
    );
  }
}

/**
 * Without its Environment a claim is of no use to anybody, and is taken back. Where nobody knows whether the Environment was
 * made, that is right as well: it goes with the claim that owns it.
 */
async function makeEnvironment(
  cluster: Cluster,
  claim: Made,
  environment: { readonly metadata: { readonly namespace: string; readonly name: string } },
): Promise<void> {
  const { namespace, name } = environment.metadata;
  try {
    await cluster.create(environments, { ...environment });
  } catch (error) {
    const left = await takeBack(cluster, claim);
    const why =
      error instanceof Conflict
        ? 'there is one of that name by now: choose another --name'
        : clusterTrouble(error).replace(/\.$/, '');
    throw new Exit(exits.failed, `The Environment ${namespace}/${name} was not made: ${why}. ${left}`, {
      cause: error,
    });
  }
}

/** That the claim is gone already is as good. */
async function takeBack(cluster: Cluster, { namespace, name, uid }: Made): Promise<string> {
  try {
    await cluster.remove(claims, { namespace, name }, { uid });
    return `Its claim ${name} was deleted again.`;
  } catch {
    return `Its claim is left over: kubectl delete -n ${namespace} deploymenttargetclaim/${name}`;
  }
}
