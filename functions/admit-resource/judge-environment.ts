import type { Environment } from '../../shared/contracts/kubernetes/environment.ts';
import { environments } from '../../shared/contracts/kubernetes/kinds.ts';
import { admitEnvironment, type WrittenEnvironment } from '../../shared/domain/environment/admit-environment.ts';
import { admitParent, admitRemoval, type OtherEnvironment } from '../../shared/domain/environment/admit-place.ts';
import { letIn, type Verdict } from '../../shared/domain/gitops/admit.ts';
import type { Cluster } from '../../shared/ports/cluster.ts';
import { listAll } from '../../shared/runtime/list-all.ts';
import { isHomeGoing } from '../../shared/runtime/see-place.ts';

/** A cluster to look at; undefined where the answer must be made of the question alone. */
export type Sight = (() => { readonly cluster: Cluster; readonly signal: AbortSignal }) | undefined;

interface Write {
  readonly namespace: string;
  readonly name: string;
  readonly stored: Environment | undefined;
}

/** The rules of the Environment by itself, and then its place among the others, where that is new. */
export async function judgeEnvironment(
  written: Environment,
  { namespace, name, stored }: Write,
  sight: Sight,
): Promise<Verdict> {
  const verdict = admitEnvironment(asWritten(name, written), stored && asWritten(name, stored));
  const { parentEnvironment: parent } = written.spec;
  const isPlaced = parent === '' || parent === stored?.spec.parentEnvironment;
  if (verdict.refused !== undefined || isPlaced) return verdict;
  const others = parent === name || sight === undefined ? [] : await look(namespace, sight);
  const { refused } = admitParent({ name, parent }, others);
  return refused === undefined ? verdict : { refused, warnings: [] };
}

/** A parent stays while it has children; but nothing keeps a namespace that is being deleted. */
export async function judgeRemoval({ namespace, name, stored }: Write, sight: Sight): Promise<Verdict> {
  if (sight === undefined || stored?.metadata.deletionTimestamp !== undefined) return letIn;
  const verdict = admitRemoval(name, await look(namespace, sight));
  if (verdict.refused === undefined) return letIn;
  const { cluster, signal } = sight();
  return (await isHomeGoing(cluster, namespace, signal)) ? letIn : verdict;
}

async function look(namespace: string, sight: NonNullable<Sight>): Promise<OtherEnvironment[]> {
  const { cluster, signal } = sight();
  const found = await listAll(cluster, environments, { namespace, signal });
  return found.map(({ metadata, spec }) => ({
    name: metadata.name,
    parent: spec.parentEnvironment,
    isDeleting: metadata.deletionTimestamp !== undefined,
  }));
}

function asWritten(name: string, { spec }: Environment): WrittenEnvironment {
  const { clusterType, kubernetesCredentials } = spec.unstableConfigurationFields ?? {};
  return {
    name,
    clusterType,
    ingressDomain: kubernetesCredentials?.ingressDomain ?? '',
    apiURL: kubernetesCredentials?.apiURL ?? '',
  };
}
