import type { Environment } from '../../shared/contracts/kubernetes/environment.ts';
import { withSuffix } from '../../shared/domain/core/object-name.ts';
import { Exit, exits } from './exit.ts';

const longestName = 63;
const mark = 'ephemeral';

export interface Variable {
  readonly name: string;
  readonly value: string;
}

/** Reads `K=V`; a later one of the same name goes before an earlier one. */
export function readVariables(given: readonly string[]): Variable[] {
  const found = new Map<string, string>();
  for (const text of given) {
    const at = text.indexOf('=');
    // Not the text itself: it may be a value without its name.
    if (at < 1) throw new Exit(exits.wrongUsage, 'Write a variable as --env NAME=value.');
    found.set(text.slice(0, at), text.slice(at + 1));
  }
  return [...found].map(([name, value]) => ({ name, value }));
}

/** The name that was asked for, or one made of the source's and a little chance. */
export function nameOfClone(source: string, asked: string | undefined, chance: string): string {
  if (asked === undefined) {
    const ending = `-${chance.replaceAll('-', '').slice(0, 5).toLowerCase()}`;
    return withSuffix(source, ending, longestName);
  }
  if (asked.length > longestName)
    throw new Exit(
      exits.wrongUsage,
      `--name has ${asked.length} characters; the name of an Environment has ${longestName} at the most.`,
    );
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(asked))
    throw new Exit(
      exits.wrongUsage,
      `--name does not understand "${asked}": lower case letters, digits and "-" in between.`,
    );
  return asked;
}

/** Short enough to be the value of a label, because what is made for the claim carries its name as one. */
export function nameOfClaim(environment: string): string {
  const whole = `${environment}-dtc`;
  if (whole.length <= longestName) return whole;
  // Cut before its ending, which is what tells one clone from another.
  return withSuffix(environment, `${environment.slice(-'-12345'.length)}-dtc`, longestName);
}

interface Copy {
  readonly name: string;
  readonly claim: { readonly namespace: string; readonly name: string; readonly uid: string };
  readonly variables: readonly Variable[];
}

/**
 * The Environment again, with a claim of its own. Nothing is promoted to it by itself and nothing from it, and no credential
 * comes along: what leads to the source's cluster is the source's.
 */
export function copyOf({ spec }: Environment, { name, claim, variables }: Copy) {
  const { configuration, unstableConfigurationFields, tags, displayName, deploymentController, promotion } = spec;
  const unstable = withoutCredentials(unstableConfigurationFields);
  return {
    metadata: {
      namespace: claim.namespace,
      name,
      ownerReferences: [
        {
          apiVersion: 'appstudio.redhat.com/v1alpha1',
          kind: 'DeploymentTargetClaim',
          name: claim.name,
          uid: claim.uid,
        },
      ],
    },
    spec: {
      type: 'POC',
      displayName,
      deploymentStrategy: 'Manual',
      tags: [...new Set([...tags, mark])],
      ...(deploymentController !== '' && { deploymentController }),
      promotion,
      configuration: {
        ...structuredClone(configuration),
        env: merged(configuration?.env ?? [], variables),
        target: { deploymentTargetClaim: { claimName: claim.name } },
      },
      ...(unstable !== undefined && { unstableConfigurationFields: unstable }),
    },
  };
}

function merged(own: readonly Variable[], over: readonly Variable[]): Variable[] {
  const values = new Map(over.map(({ name, value }) => [name, value]));
  const names = new Set(own.map(({ name }) => name));
  return [
    ...own.map(({ name, value }) => ({ name, value: values.get(name) ?? value })),
    ...over.filter(({ name }) => !names.has(name)),
  ];
}

/** What kind of cluster it is and how things are reached there. The domain stands among the credentials. */
function withoutCredentials(fields: Environment['spec']['unstableConfigurationFields']) {
  const { clusterType, exposeWith, kubernetesCredentials } = fields ?? {};
  const ingressDomain = kubernetesCredentials?.ingressDomain ?? '';
  const kept = {
    ...(clusterType !== undefined && { clusterType }),
    ...(exposeWith !== undefined && { exposeWith }),
    ...(ingressDomain !== '' && { kubernetesCredentials: { ingressDomain } }),
  };
  return Object.keys(kept).length === 0 ? undefined : kept;
}
