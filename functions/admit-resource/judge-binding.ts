import { bindings } from '../../shared/contracts/kubernetes/kinds.ts';
import type { SnapshotEnvironmentBinding } from '../../shared/contracts/kubernetes/snapshot-environment-binding.ts';
import { admitBinding, admitBindingChange } from '../../shared/domain/binding/admit-binding.ts';
import { letIn, type Verdict } from '../../shared/domain/gitops/admit.ts';
import { listOfApplication } from '../../shared/runtime/list-of-application.ts';
import type { Sight } from './judge-environment.ts';

interface Write {
  readonly namespace: string;
  readonly name: string;
  readonly stored: SnapshotEnvironmentBinding | undefined;
}

/** One that is there keeps its pair, so only a new one can be the second of its pair. */
export async function judgeBinding(
  { spec }: SnapshotEnvironmentBinding,
  { namespace, name, stored }: Write,
  sight: Sight,
): Promise<Verdict> {
  if (stored !== undefined) return admitBindingChange(spec, stored.spec);
  if (sight === undefined) return letIn;
  const { cluster, signal } = sight();
  const own = await listOfApplication(cluster, bindings, spec.application, { namespace, signal });
  const others = own.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  return admitBinding(
    name,
    spec,
    others.map((other) => ({ name: other.metadata.name, ...other.spec })),
  );
}
