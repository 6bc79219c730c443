import type { AppProject } from '../../shared/contracts/argo/app-project.ts';
import type { ArgoApplication } from '../../shared/contracts/argo/application.ts';
import { appProjects, argoApplications, gitOpsDeployments } from '../../shared/contracts/kubernetes/kinds.ts';
import { annotations, labels } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import { projectPatch, writtenProject } from '../../shared/domain/gitops/app-project.ts';
import { applicationIdOf, applicationName, projectName } from '../../shared/domain/gitops/names.ts';
import { applicationPatch, writtenApplication } from '../../shared/domain/gitops/written-application.ts';
import type { ApplicationRow, ProjectRow } from '../../shared/ports/drift-rows.ts';
import { lookBesideArgo } from './look-beside-argo.ts';
import type { Came, Turn } from './turn.ts';

/** The Applications beside every Argo CD. */
export function lookAtApplications(turn: Turn): Promise<Came> {
  const { driftRows } = turn.machine.world;
  return lookBesideArgo<ArgoApplication, ApplicationRow>(
    {
      title: 'Application',
      objects: argoApplications,
      labelSelector: labels.databaseId,
      operation: 'Application',
      resources: { objects: gitOpsDeployments, knock: 'gitops-deployment.changed.v1' },
      nameOf: applicationName,
      idOf: applicationIdOf,
      rows: (instanceId, range) => driftRows.applications(instanceId, range),
      isWanted: () => true,
      // An application whose environment is gone has nowhere to be deployed to.
      isMissed: ({ valid }) => valid,
      isSame(found, row, { namespace }) {
        const written = writtenApplication(row, row.userId, namespace);
        return written !== undefined && applicationPatch(found, written) === undefined;
      },
      ownerOf: ({ spec }) => ownerOfProject(spec.project),
    },
    turn,
  );
}

/** The fences around the tenants' applications. */
export function lookAtProjects(turn: Turn): Promise<Came> {
  const { driftRows } = turn.machine.world;
  return lookBesideArgo<AppProject, ProjectRow>(
    {
      title: 'AppProject',
      objects: appProjects,
      // The environment of the tenant's own namespace has the tenant's key and no Secret: of all that an operation about it
      // looks at, only the project is left.
      operation: 'ManagedEnvironment',
      needsOwner: true,
      nameOf: projectName,
      idOf: ownerOfProject,
      rows: (instanceId, range) => driftRows.projects(instanceId, range),
      isWanted: ({ inUse }) => inUse,
      isMissed: ({ recorded }) => recorded,
      isSame: (found, row, engine) => projectPatch(found, writtenProject(row, engine)) === undefined,
      ownerOf: ({ metadata }) => metadata.annotations[annotations.projectUser.key] ?? ownerOfProject(metadata.name),
    },
    turn,
  );
}

function ownerOfProject(name: string): string | undefined {
  return /^app-project-(?<id>.+)$/.exec(name)?.groups?.['id'];
}
