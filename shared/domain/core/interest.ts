import { isObjectName } from './object-name.ts';
import type { Knock } from './step.ts';
import type { Subject } from './subject.ts';

/** A change that was seen on the cluster, by the audit webhook or by a watch. */
export interface Change {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly version?: string | undefined;
  /** `spec.application` of the object, where the one who saw the change could see it. */
  readonly application?: string | undefined;
  /** The labels of a SpaceRequest, which name the claim and the target that it was made for. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** What a GitOpsDeployment was made by. */
  readonly owner?: { readonly kind: string; readonly name: string } | undefined;
  /** True where the object is there and has no status yet: its controller has not looked at it. */
  readonly untouched?: boolean | undefined;
}

/** One line of the table: when an object of this kind changes, this message says so. */
export interface Interest {
  readonly group: string;
  readonly kind: string;
  readonly wakes: string;
  /** A change that is worth nobody's look. */
  readonly unless?: (change: Change) => boolean;
  /** Whom to look at: the object itself unless the kind says otherwise. */
  readonly at?: (change: Change) => readonly Subject[];
}

const appstudio = 'appstudio.redhat.com';
const gitops = 'managed-gitops.redhat.com';
const toolchain = 'toolchain.dev.openshift.com';

/** Who cares when what changes. A type that no function of the map consumes is never sent. */
export const interests: readonly Interest[] = [
  // An Application is its own application: its changes stand in line with those of its parts.
  { group: appstudio, kind: 'Application', wakes: 'application.changed.v1', at: asItsOwnApplication },
  { group: appstudio, kind: 'Component', wakes: 'component.changed.v1' },
  // What a Component says concerns whatever is made of its application.
  { group: appstudio, kind: 'Component', wakes: 'application.changed.v1', at: atItsApplication },
  { group: appstudio, kind: 'Environment', wakes: 'environment.changed.v1' },
  { group: appstudio, kind: 'Snapshot', wakes: 'snapshot.changed.v1' },
  { group: appstudio, kind: 'SnapshotEnvironmentBinding', wakes: 'binding.changed.v1' },
  { group: appstudio, kind: 'PromotionRun', wakes: 'promotion.changed.v1' },
  { group: appstudio, kind: 'DeploymentTarget', wakes: 'target.changed.v1' },
  { group: appstudio, kind: 'DeploymentTargetClaim', wakes: 'claim.changed.v1' },
  { group: appstudio, kind: 'DeploymentTargetClass', wakes: 'class.changed.v1' },
  { group: gitops, kind: 'GitOpsDeployment', wakes: 'gitops-deployment.changed.v1' },
  { group: gitops, kind: 'GitOpsDeployment', wakes: 'binding.changed.v1', at: atItsBinding },
  { group: gitops, kind: 'GitOpsDeploymentSyncRun', wakes: 'sync-run.changed.v1' },
  { group: gitops, kind: 'GitOpsDeploymentManagedEnvironment', wakes: 'managed-environment.changed.v1' },
  { group: gitops, kind: 'GitOpsDeploymentRepositoryCredential', wakes: 'repo-credential.changed.v1' },
  { group: gitops, kind: 'Operation', wakes: 'operation.changed.v1' },
  { group: toolchain, kind: 'SpaceRequest', wakes: 'space-request.changed.v1' },
  {
    group: toolchain,
    kind: 'SpaceRequest',
    wakes: 'target.requested.v1',
    at: atItsLabel('appstudio.openshift.io/dtc'),
  },
  { group: toolchain, kind: 'SpaceRequest', wakes: 'target.released.v1', at: atItsLabel('appstudio.openshift.io/dt') },
  // What an Environment owns is named after it.
  {
    group: gitops,
    kind: 'GitOpsDeploymentManagedEnvironment',
    wakes: 'environment.changed.v1',
    at: atTheRestOfItsName('managed-environment-'),
  },
  { group: '', kind: 'Secret', wakes: 'environment.changed.v1', at: atTheRestOfItsName('managed-environment-secret-') },
  // We made it a moment ago, and Argo CD has said nothing of it: there is nothing to report.
  {
    group: 'argoproj.io',
    kind: 'Application',
    wakes: 'argo-application.changed.v1',
    unless: ({ untouched }) => untouched === true,
  },
  { group: '', kind: 'Secret', wakes: 'secret.changed.v1' },
];

/**
 * Decides which knocks a batch of changes is worth. Several changes of one object are one
 * knock, at the latest version among them: the reader looks at what is, not at how it came.
 */
export function whoCares(changes: readonly Change[], table: readonly Interest[] = interests): Knock[] {
  const knocks = new Map<string, Knock>();
  for (const change of changes) {
    for (const { wakes, at = atItself } of table.filter(
      ({ group, kind, unless }) => group === change.group && kind === change.kind && unless?.(change) !== true,
    )) {
      for (const subject of at(change)) {
        const key = `${wakes} ${subject.namespace}/${subject.name}`;
        const known = knocks.get(key);
        if (known === undefined || isLater(subject.version, known.subject.version))
          knocks.set(key, { type: wakes, subject });
      }
    }
  }
  return [...knocks.values()];
}

/**
 * Is `version` newer than `than`? Revisions of one API server are growing whole numbers. No version
 * is newer than any: it asks for a look whatever was seen before.
 */
export function isLater(version: string | undefined, than: string | undefined): boolean {
  if (than === undefined) return false;
  if (version === undefined) return true;
  return BigInt(version) > BigInt(than);
}

function atItself({ namespace, name, application, version }: Change): Subject[] {
  return [
    { namespace, name, ...(application !== undefined && { application }), ...(version !== undefined && { version }) },
  ];
}

function atItsLabel(label: string): NonNullable<Interest['at']> {
  return (change) => atAnother(change, change.labels?.[label]);
}

function atItsBinding(change: Change): Subject[] {
  const { owner } = change;
  return atAnother(change, owner?.kind === 'SnapshotEnvironmentBinding' ? owner.name : undefined);
}

function atTheRestOfItsName(prefix: string): NonNullable<Interest['at']> {
  return (change) => atAnother(change, change.name.startsWith(prefix) ? change.name.slice(prefix.length) : undefined);
}

/** Tenants write such names, and nothing comes of a message about what no object can be called but a dead letter. */
function atAnother({ namespace, version, application }: Change, name: string | undefined): Subject[] {
  return name === undefined || !isObjectName(name)
    ? []
    : atItself({ group: '', kind: '', namespace, name, version, application });
}

function atItsApplication(change: Change): Subject[] {
  return atAnother(change, change.application);
}

function asItsOwnApplication(change: Change): Subject[] {
  return atItself({ ...change, application: change.name });
}
