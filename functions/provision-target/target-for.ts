import { annotations, finalizers, labels } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import { fitsLabel } from '../../shared/domain/core/object-name.ts';

import type { NewObject } from '../../shared/ports/cluster.ts';
import type { SeenByStep } from './observe.ts';

/**
 * The target of a claim, complete from the start and kept for that claim alone. Its phase is the binder's to write.
 * Undefined: there is nothing to make it of.
 */
export function targetFor(
  { namespace, claim, class: asking, provisioner, provision, wanted }: SeenByStep,
  name: string,
): NewObject | undefined {
  if (claim === undefined || provisioner === undefined || provision.state !== 'ready') return undefined;
  const resources = provision.resources ?? wanted?.resources;
  return {
    metadata: {
      namespace,
      name,
      annotations: { [annotations.provisionedBy.key]: provisioner },
      ...(fitsLabel(provisioner) && { labels: { [labels.targetProvisioner]: provisioner } }),
      ...(asking?.reclaimPolicy === 'Delete' && { finalizers: [finalizers.target.key] }),
    },
    spec: {
      deploymentTargetClassName: claim.className,
      kubernetesCredentials: provision.access,
      claimRef: { name: claim.name, uid: claim.uid },
      ...(resources !== undefined && { resources }),
      ...(claim.arch !== '' && { arch: claim.arch }),
    },
  };
}
