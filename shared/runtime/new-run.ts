import { annotations, labels } from '../contracts/kubernetes/metadata-keys.ts';
import { fitsLabel } from '../domain/core/object-name.ts';
import type { NewObject } from '../ports/cluster.ts';

interface Asked {
  readonly namespace: string;
  readonly name: string;
  readonly application: { readonly name: string; readonly uid: string };
  readonly snapshot: { readonly name: string; readonly uid: string };
  readonly environments: readonly string[];
  readonly cause: { readonly kind: 'Snapshot' | 'PromotionRun'; readonly name: string };
}

/** A PromotionRun that nobody asked for by hand. It tells what it was started by, and goes with its Application. */
export function newRun({ namespace, name, application, snapshot, environments, cause }: Asked): NewObject {
  const [only, ...more] = environments;
  const isOne = more.length === 0;
  const known = {
    [labels.application]: application.name,
    [labels.environment]: isOne ? (only ?? '') : '',
    [labels.cause]: cause.name,
  };
  return {
    metadata: {
      namespace,
      name,
      labels: Object.fromEntries(Object.entries(known).filter(([, value]) => value !== '' && fitsLabel(value))),
      annotations: {
        [annotations.cause.key]: `${cause.kind} ${cause.name}`,
        ...(snapshot.uid !== '' && { [annotations.snapshotUid.key]: snapshot.uid }),
      },
      ownerReferences: [
        {
          apiVersion: 'appstudio.redhat.com/v1alpha1',
          kind: 'Application',
          name: application.name,
          uid: application.uid,
        },
      ],
    },
    spec: {
      snapshot: snapshot.name,
      application: application.name,
      automatedPromotion: isOne ? { initialEnvironment: only } : { initialEnvironments: environments },
    },
  };
}
