import { fitsLabel, isObjectName } from '../core/object-name.ts';
import { managedEnvironmentName } from '../environment/environment.ts';
import { isSameValue } from '../gitops/merge-patch.ts';
import type { Binding, ComponentPlace, DeploymentShape, OwnedDeployment, SeenBinding } from './binding.ts';
import { deploymentLabels, labelPatch } from './deployment-labels.ts';

/** What stands between a Binding and its deployments. */
export interface Obstacle {
  readonly reason: string;
  readonly message: string;
  /** False: it only takes its time. */
  readonly isError: boolean;
  /** What has to change. */
  readonly on: string;
}

export type Destination = DeploymentShape['destination'];

/**
 * Where an Environment deploys to, in the words of a GitOpsDeployment. A place that is about to go takes nothing new; what
 * is there stays until it is gone.
 */
export function destinationOf({ binding, environment, choice }: SeenBinding): Destination | Obstacle {
  const name = binding?.environment ?? '';
  const on = `Environment ${name}`;
  const generating = 'ErrorGeneratingGitOpsDeployment';
  if (environment === undefined || choice === undefined)
    return { reason: 'EnvironmentNotFound', message: `Environment ${name} was not found`, isError: true, on };
  switch (choice.kind) {
    case 'own-namespace':
      return { environment: '', namespace: '' };
    case 'place': {
      const namespace = choice.isClaimed ? (choice.place.namespaces[0] ?? '') : environment.targetNamespace;
      if (!choice.isClaimed && namespace === '')
        return { reason: generating, message: 'Environment is missing a TargetNamespace field', isError: true, on };
      return { environment: managedEnvironmentName(name), namespace };
    }
    case 'leaving':
      return { reason: choice.reason, message: choice.message, isError: false, on };
    case 'none': {
      const known = knownTexts[choice.reason];
      return known === undefined
        ? { reason: choice.reason, message: choice.message, isError: choice.problem !== undefined, on }
        : { reason: generating, message: known, isError: true, on };
    }
  }
}

/** What clients of the original read. */
const knownTexts: Readonly<Record<string, string>> = {
  ClaimNotFound: 'DeploymentTargetClaim referenced by Environment does not exist.',
  TargetNotFound: 'unable to locate DeploymentTarget the references DeploymentTargetClaim',
};

/** A GitOpsDeployment as it should be. */
export interface WantedDeployment {
  readonly name: string;
  readonly component: string;
  readonly spec: DeploymentShape;
  readonly labels: Readonly<Record<string, string>>;
  readonly commit: string;
}

/** A component that stands in Git, and the name of its GitOpsDeployment. */
export interface NamedComponent {
  readonly component: string;
  readonly name: string;
}

/** Does Kubernetes take a GitOpsDeployment of this name, with the three labels that it is found by? */
export function isDeployable({ component, name }: NamedComponent, { application, environment }: Binding): boolean {
  return isObjectName(name) && [application, environment, component].every(fitsLabel);
}

/**
 * A GitOpsDeployment is made so that Argo CD follows Git by itself. Somebody who made it manual wants to be asked before
 * anything changes; that stays, and a promotion asks for the sync.
 */
export function wantedDeployment(
  { component, name }: NamedComponent,
  { url, branch, path, commitID }: ComponentPlace,
  { application, environment, labels }: Binding,
  destination: Destination,
  standingType?: string,
): WantedDeployment {
  return {
    name,
    component,
    spec: {
      source: { repoURL: url, path, targetRevision: branch },
      destination,
      type: standingType === 'manual' ? 'manual' : 'automated',
      syncOptions: [],
    },
    labels: deploymentLabels(labels, { application, environment, component }),
    commit: commitID,
  };
}

/** Is it as it should be, as far as a Binding decides? */
export function isAsWanted(standing: OwnedDeployment, wanted: WantedDeployment): boolean {
  return (
    isSameValue(standing.spec, wanted.spec) &&
    labelPatch(standing.labels, wanted.labels) === undefined &&
    standing.commit === wanted.commit
  );
}
