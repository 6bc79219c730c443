import { stripped } from './application-spec.ts';
import type { DeploymentSpec } from './deployment.ts';
import { repositoryUrlProblem } from './repository-url.ts';

// The first three are the sentences of the original's webhook, the others those of its reconciler. Clients compare them.

export const wrongType = 'spec type must be manual or automated';
export const wrongSyncOption =
  'the specified sync option in .spec.syncPolicy.syncOptions is either mispelled or is not supported by GitOpsDeployment';
export const namespaceWithoutEnvironment = 'the environment field should not be empty when the namespace is non-empty';
const emptyPath = 'spec.source.path is a required field and it cannot be empty';
const rootPath = "spec.source.path cannot be '/'";
const namespaceOnCreate = 'the namespace specified in the destination field is invalid';
const namespaceOnUpdate = 'destination namespace specified in the .spec.Destination.Namespace field is invalid';

export const environmentOnCreate =
  'Unable to reconcile the ManagedEnvironment. Verify that the ManagedEnvironment and Secret are correctly defined, and have valid credentials';
export const environmentOnUpdate =
  'unable to reconcile the ManagedEnvironment resource. Ensure that the ManagedEnvironment exists, it references a Secret, and the Secret is valid';

const unreadable = 'must not contain control characters';

/** As much as the row of the mapping holds. */
const longestName = 256;

const types: readonly string[] = ['automated', 'manual'];
const syncOptions: readonly string[] = ['CreateNamespace=true', 'CreateNamespace=false'];

interface Named {
  readonly namespace: string;
  readonly name: string;
  readonly spec: DeploymentSpec;
}

/** What is wrong with a deployment by itself, in words for its user; undefined where nothing is. */
export function deploymentProblem(
  { namespace, name, spec }: Named,
  { isStored }: { readonly isStored: boolean },
): string | undefined {
  const path = stripped(spec.source.path);
  const environment = spec.destination.environment;
  const target = stripped(spec.destination.namespace);
  if (bytes(name) > longestName) return `the name of the GitOpsDeployment must not be longer than ${longestName} bytes`;
  if (path === '') return emptyPath;
  if (/^\/+$/.test(path)) return rootPath;
  if (hasUnreadable(path)) return `spec.source.path ${unreadable}`;
  if (hasUnreadable(stripped(spec.source.targetRevision))) return `spec.source.targetRevision ${unreadable}`;
  if (!types.includes(spec.type)) return wrongType;
  if (spec.syncOptions.some((option) => !syncOptions.includes(option))) return wrongSyncOption;
  if (environment === '' && target !== '' && target !== namespace) return namespaceWithoutEnvironment;
  if (environment !== '' && !isNamespaceName(target)) return isStored ? namespaceOnUpdate : namespaceOnCreate;
  if (environment !== '' && environmentNameOf(spec) === undefined)
    return isStored ? environmentOnUpdate : environmentOnCreate;
  const problem = repositoryUrlProblem(stripped(spec.source.repoURL));
  return problem === undefined ? undefined : `spec.source.repoURL is invalid: ${problem}`;
}

/** The environment that is named; undefined where none is, or none can ever be called so. */
export function environmentNameOf({ destination: { environment } }: DeploymentSpec): string | undefined {
  return /^[a-z\d](?:[-.a-z\d]{0,251}[a-z\d])?$/.test(environment) ? environment : undefined;
}

/** An environment may be open for some namespaces only; Argo CD would refuse every other, with words of its own. */
export function closedNamespaceProblem(
  { destination }: DeploymentSpec,
  namespaces: readonly string[],
  { isStored }: { readonly isStored: boolean },
): string | undefined {
  if (namespaces.length === 0 || namespaces.includes(stripped(destination.namespace))) return undefined;
  const sentence = isStored ? namespaceOnUpdate : namespaceOnCreate;
  return `${sentence}: the ManagedEnvironment '${destination.environment}' only has the namespaces ${namespaces.join(', ')}`;
}

/** No path and no revision in Git has them, and Postgres cannot read a text with some of them: nobody's rows could be read. */
function hasUnreadable(text: string): boolean {
  return /[\p{Cc}\p{Cs}]/u.test(text);
}

function isNamespaceName(text: string): boolean {
  return /^[a-z\d](?:[-a-z\d]{0,61}[a-z\d])?$/.test(text);
}

function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
