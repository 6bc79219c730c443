import type { Application, Condition } from '../application.ts';
import type { ClusterEntry } from '../cluster/open-cluster.ts';
import { type AppProject, isDestinationPermitted, isSourcePermitted } from './app-project.ts';

/** What is wrong with an application before anything is fetched, in the words of Argo CD. */
export function checkSpec(
  { spec }: Application,
  project: AppProject | undefined,
  findCluster: () => ClusterEntry,
): { readonly conditions: readonly Condition[]; readonly cluster: ClusterEntry | undefined } {
  const conditions: Condition[] = [];
  const refuse = (message: string) => {
    conditions.push({ type: 'InvalidSpecError', message });
    return { conditions, cluster: undefined };
  };
  if (project === undefined) return refuse(`Application referencing project ${spec.project} which does not exist`);
  if ((spec.sources ?? []).length > 0 || spec['sourceHydrator'] !== undefined)
    return refuse('spec.sources and spec.sourceHydrator are not supported by the Argo CD stand-in: use spec.source');
  const { source } = spec;
  if (!source?.repoURL || (!source.path && !source['chart']))
    return refuse('spec.source.repoURL and either spec.source.path or spec.source.chart are required');
  if (!isSourcePermitted(project, source))
    refuse(`application repo ${source.repoURL} is not permitted in project '${project.metadata.name}'`);

  let cluster: ClusterEntry;
  try {
    cluster = findCluster();
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
  const { name = '', namespace = '' } = spec.destination;
  if (!isDestinationPermitted(project, cluster, namespace)) {
    const server = name === '' ? cluster.server : cluster.name;
    refuse(
      `application destination server '${server}' and namespace '${namespace}' do not match any of the allowed destinations in project '${project.metadata.name}'`,
    );
  }
  return { conditions, cluster };
}
