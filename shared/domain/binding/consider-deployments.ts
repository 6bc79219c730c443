import type { Condition } from '../core/condition.ts';
import type { Binding, DeploymentStatus, OwnedDeployment, SeenBinding } from './binding.ts';
import type { ComponentState } from './consider-rendering.ts';
import { deploymentName } from './deployment-name.ts';
import {
  type Destination,
  destinationOf,
  isAsWanted,
  isDeployable,
  type Obstacle,
  type WantedDeployment,
  wantedDeployment,
} from './wanted-deployments.ts';

/** How the GitOpsDeployments stand to what a Binding wants. */
export interface Deploying {
  readonly create: readonly WantedDeployment[];
  readonly update: readonly (WantedDeployment & { readonly over: OwnedDeployment })[];
  readonly remove: readonly OwnedDeployment[];
  /** Those whose name somebody else has. */
  readonly taken: readonly string[];
  /** Those that have to be gone before their successors come. */
  readonly leaving: readonly string[];
  /** Components of whose names Kubernetes takes no GitOpsDeployment. */
  readonly unusable: readonly string[];
  readonly obstacle: Obstacle | undefined;
  readonly told: readonly DeploymentStatus[];
  /** Undefined: nobody knows what should be deployed, what was said stays. */
  readonly deployed: Condition | undefined;
}

/** What should be deployed. */
interface Asked {
  /** Undefined: nobody knows which components there should be, so none goes and none comes. */
  readonly components: readonly ComponentState[] | undefined;
  /** How many there should be. Undefined: nobody knows. */
  readonly expected: number | undefined;
}

/** A deployment is told by its name, which is made of what never changes: its labels may be gone. Only our own are touched. */
export function considerDeployments(seen: SeenBinding, binding: Binding, { components, expected }: Asked): Deploying {
  const { application, environment, uid } = binding;
  const came = destinationOf(seen);
  const named = (components ?? []).map((state) => ({
    ...state,
    name: deploymentName({ binding: seen.name, application, environment, component: state.component }, seen.digest),
  }));
  const standing = new Map(seen.deployments.map((one) => [one.name, one]));
  const ours = seen.deployments.filter(({ owner }) => owner === uid).toSorted(byName);
  const staying = new Map(named.filter(({ isLeftOut }) => !isLeftOut).map((one) => [one.name, one]));
  const remaining = components === undefined ? ours : ours.filter(({ name }) => staying.has(name));
  const deployable = named.filter((one) => isDeployable(one, binding));
  const wanted = isObstacle(came)
    ? []
    : deployable.flatMap((one) =>
        one.place === undefined
          ? []
          : [wantedDeployment(one, one.place, binding, came, standing.get(one.name)?.spec.type)],
      );
  const told = toldOf(remaining, wanted, (name) => staying.get(name)?.component);
  const synced = told.filter(
    ({ gitopsDeployment, syncStatus }) => syncStatus === 'Synced' && staying.get(gitopsDeployment)?.isCurrent === true,
  ).length;
  return {
    create: wanted.filter((one) => !standing.has(one.name)),
    update: wanted.flatMap((one) => {
      const over = standing.get(one.name);
      return over === undefined || over.owner !== uid || over.isDeleting || isAsWanted(over, one)
        ? []
        : [{ ...one, over }];
    }),
    remove: ours.filter((one) => !remaining.includes(one) && !one.isDeleting),
    taken: wanted
      .filter(({ name }) => standing.has(name) && standing.get(name)?.owner === undefined)
      .map(({ name }) => name),
    leaving: wanted.filter(({ name }) => isGoing(standing.get(name), uid)).map(({ name }) => name),
    unusable: named
      .filter((one) => one.place !== undefined && !deployable.includes(one))
      .map(({ component }) => component),
    obstacle: isObstacle(came) ? came : undefined,
    told,
    deployed: expected === undefined ? undefined : deployedOf(synced, expected),
  };
}

function isObstacle(came: Destination | Obstacle): came is Obstacle {
  return 'reason' in came;
}

/** It was made by a Binding of the same name that is gone, and goes with it; or somebody deletes it. */
function isGoing(standing: OwnedDeployment | undefined, uid: string): boolean {
  return standing?.owner !== undefined && (standing.owner !== uid || standing.isDeleting);
}

function toldOf(
  ours: readonly OwnedDeployment[],
  wanted: readonly WantedDeployment[],
  componentOf: (name: string) => string | undefined,
): readonly DeploymentStatus[] {
  const fresh = wanted.filter(({ name }) => !ours.some((one) => one.name === name));
  return [
    ...ours.map(({ component, name, syncStatus, health, revision }) => ({
      componentName: componentOf(name) ?? component,
      gitopsDeployment: name,
      syncStatus,
      health,
      commitID: revision,
    })),
    ...fresh.map(({ component, name }) => ({
      componentName: component,
      gitopsDeployment: name,
      syncStatus: '',
      health: '',
      commitID: '',
    })),
  ].toSorted((one, other) => (one.componentName < other.componentName ? -1 : 1));
}

function deployedOf(synced: number, expected: number): Condition {
  const isAll = synced === expected;
  return {
    type: 'AllComponentsDeployed',
    status: isAll ? 'True' : 'False',
    reason: isAll ? 'CommitsSynced' : 'CommitsUnsynced',
    message: `${synced} of ${expected} components deployed`,
  };
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1;
}
