import type { DeploymentSpec } from './deployment.ts';
import { deploymentProblem, namespaceWithoutEnvironment, wrongSyncOption, wrongType } from './deployment-problem.ts';
import { chooseCredentials, environmentSecretType } from './kubeconfig-choice.ts';
import type { EnvironmentSpec } from './managed-environment.ts';
import { readRepositoryUrl, repositoryUrlProblem } from './repository-url.ts';
import { readRequestUri } from './request-uri.ts';

/**
 * What is said to somebody who writes an object. Refused is what clients know to be refused. What a condition answers
 * later is let in, as clients wait for that condition, and told at once as a warning: so both say the same.
 */
export interface Verdict {
  /** Why it is refused; undefined: it is let in. */
  readonly refused: string | undefined;
  readonly warnings: readonly string[];
}

export const letIn: Verdict = { refused: undefined, warnings: [] };

/** Nobody would choose this name: it proves that the webhook is there. */
const magicName = 'zyxwvutsrqponmlkjihgfedcba-abcdefghijklmnoqrstuvwxyz';

const refusals: readonly string[] = [wrongType, wrongSyncOption, namespaceWithoutEnvironment];

interface WrittenDeployment {
  readonly namespace: string;
  readonly name: string;
  readonly spec: DeploymentSpec;
}

export function admitDeployment(deployment: WrittenDeployment, isStored: boolean): Verdict {
  const { spec } = deployment;
  // The path is answered by a condition, and it is not the first thing that is looked at here.
  const source = { ...spec.source, path: 'any' };
  const first = deploymentProblem({ ...deployment, spec: { ...spec, source } }, { isStored });
  if (first !== undefined && refusals.includes(first)) return refuse(first);
  return warn(deploymentProblem(deployment, { isStored }));
}

interface WrittenSyncRun {
  readonly name: string;
  readonly deploymentName: string;
  readonly revisionId: string;
}

export function admitSyncRun(run: WrittenSyncRun, stored: WrittenSyncRun | undefined): Verdict {
  if (stored === undefined) return run.name === magicName ? refuse(`name should not be ${magicName}`) : letIn;
  const isSame = run.deploymentName === stored.deploymentName && run.revisionId === stored.revisionId;
  return warn(
    isSame ? undefined : 'gitopsDeploymentName and revisionID cannot change: what was asked for first counts',
  );
}

export function admitManagedEnvironment(spec: EnvironmentSpec): Verdict {
  if (spec.apiURL !== '') {
    const address = readRequestUri(spec.apiURL);
    if ('problem' in address) return refuse(address.problem);
    if (address.scheme !== 'https') return refuse('cluster api url must start with https://');
  }
  // As if the Secret had nothing in it: what is wrong before that comes to light is wrong with the environment itself.
  const choice = chooseCredentials(
    { ...spec, credentialsSecret: 'any' },
    { type: environmentSecretType, kubeconfig: 'missing' },
  );
  return warn(
    'problem' in choice && choice.problem.reason !== 'MissingKubeConfigField' ? choice.problem.message : undefined,
  );
}

export function admitRepositoryCredential({ repository }: { readonly repository: string }): Verdict {
  if (repository === '') return letIn;
  const { transport } = readRepositoryUrl(repository) ?? {};
  const address = readRequestUri(repository);
  const scheme = transport ?? ('scheme' in address ? address.scheme : '');
  // Addresses like git@host:team/repository go by ssh, and are as good as the others.
  if (scheme !== 'https' && scheme !== 'ssh') return refuse('repository must begin with ssh:// or https://');
  return warn(repositoryUrlProblem(repository));
}

function refuse(refused: string): Verdict {
  return { refused, warnings: [] };
}

function warn(warning: string | undefined): Verdict {
  return warning === undefined ? letIn : { refused: undefined, warnings: [warning] };
}
