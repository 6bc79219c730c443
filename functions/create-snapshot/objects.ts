import type { Component as ComponentObject } from '../../shared/contracts/kubernetes/component.ts';
import { annotations, labels } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import type { Snapshot as SnapshotObject } from '../../shared/contracts/kubernetes/snapshot.ts';
import { fitsLabel } from '../../shared/domain/core/object-name.ts';
import type { Component } from '../../shared/domain/snapshot/component.ts';
import type { SeenComponent } from '../../shared/domain/snapshot/seen-component.ts';
import { builtComponents, type SeenSnapshot, snapshotSpec } from '../../shared/domain/snapshot/snapshot.ts';
import type { NewObject } from '../../shared/ports/cluster.ts';

// Objects of the cluster in the words of the rule, and the other way round.

export function componentOf({ metadata, spec, status }: ComponentObject): Component {
  const { gitops } = status ?? {};
  const git = spec.source?.git;
  return {
    uid: metadata.uid,
    name: metadata.name,
    application: spec.application,
    isDeleting: metadata.deletionTimestamp !== undefined,
    image: status?.containerImage || spec.containerImage,
    commit: status?.lastBuiltCommit ?? '',
    source: git?.url ? { url: git.url, revision: git.revision } : undefined,
    env: spec.env.map(({ name, valueFrom }) => ({ name, hasValueFrom: valueFrom !== undefined })),
    isSkipped: spec.skipGitOpsResourceGeneration,
    said: status?.conditions ?? [],
    gitops: gitops && { ...gitops, resourceGenerationSkipped: gitops.resourceGenerationSkipped ?? false },
  };
}

export function seenSnapshotOf({ metadata, spec }: SnapshotObject): SeenSnapshot {
  return {
    name: metadata.name,
    application: spec.application,
    images: spec.components,
    isDeleting: metadata.deletionTimestamp !== undefined,
    owner: metadata.ownerReferences.find(({ kind }) => kind === 'Application')?.uid,
  };
}

/** Kubernetes takes it away with its Application. It names the Component whose build it was made for, where that is in it. */
export function newSnapshot(seen: SeenComponent, name: string, sequence: number): NewObject {
  const { namespace, application, component, row } = seen;
  const built = builtComponents(seen.components, application.name, row?.frozen ?? []);
  const cause = built.find(({ uid }) => uid === component?.uid)?.name;
  const known = { [labels.deployedApplication]: application.name, [labels.deployedComponent]: cause ?? '' };
  const told = Object.entries(known).filter(([, value]) => value !== '' && fitsLabel(value));
  return {
    metadata: {
      namespace,
      name,
      labels: { ...Object.fromEntries(told), [labels.snapshotType]: 'component' },
      annotations: { [annotations.sequence.key]: String(sequence) },
      ownerReferences: [
        {
          apiVersion: 'appstudio.redhat.com/v1alpha1',
          kind: 'Application',
          name: application.name,
          uid: application.uid,
          controller: true,
        },
      ],
    },
    spec: snapshotSpec(built, application.name),
  };
}
