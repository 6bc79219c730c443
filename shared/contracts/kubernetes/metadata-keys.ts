/** A key of an annotation or a finalizer, and the spellings of it that are understood and never written. */
interface MetadataKey {
  readonly key: string;
  readonly alsoRead: readonly string[];
}

const only = (key: string): MetadataKey => ({ key, alsoRead: [] });

export const annotations = {
  /** On a claim: the binder is done. */
  bindComplete: only('dt.appstudio.redhat.com/bind-complete'),
  /** On a claim: the binder chose the target, not the user. */
  boundByController: only('dt.appstudio.redhat.com/bound-by-controller'),
  /** On a claim: the provisioner that should make a target for it. */
  targetProvisioner: {
    key: 'provisioner.appstudio.redhat.com/dt-provisioner',
    alsoRead: ['provionser.appstudio.redhat.com/dt-provisioner'],
  },
  /** On a target: the provisioner that made it. */
  provisionedBy: {
    key: 'provisioner.appstudio.redhat.com/provisioned-by',
    alsoRead: ['provionser.appstudio.redhat.com/provisioned-by'],
  },
  /** On a claim: how long it lives, "72h". */
  timeToLive: only('stagecoach.dev/ttl'),
  /** On a claim: who answers for it. */
  owner: only('stagecoach.dev/owner'),
  /** On a SpaceRequest: the UID of the claim that it was made for, and the class that asked for it. */
  claimUid: only('stagecoach.dev/claim-uid'),
  claimClass: only('stagecoach.dev/claim-class'),
  /** On a SpaceRequest: how much the namespace may use, and how much it has been given, as JSON of `resources` of a claim. */
  wantedResources: only('stagecoach.dev/wanted-resources'),
  grantedResources: only('stagecoach.dev/granted-resources'),
  /** On a namespace that was made for a SpaceRequest: the UID of that. */
  spaceRequestUid: only('stagecoach.dev/space-request-uid'),
  /** On any object of ours: a new value asks to look again at everything about it. */
  reconcileAt: only('stagecoach.dev/reconcile-at'),
  /** On a GitOpsDeployment that a Binding made: the commit that holds what should run. Another one makes Argo CD look at once. */
  commit: only('stagecoach.dev/commit'),
  /** On a Binding: the promotion that wrote its snapshot, and which of those that had the name in the course of time. */
  promotion: only('stagecoach.dev/promotion'),
  promotionUid: only('stagecoach.dev/promotion-uid'),
  /** On a Binding that others render: the snapshot that a promotion wrote into it, the UID of that, and what stood there then. */
  stoodBefore: only('stagecoach.dev/stood-before'),
  /** On a PromotionRun that was not made by a person: the Snapshot or the run that it was started by, `Snapshot first`. */
  cause: only('stagecoach.dev/cause'),
  /** On the same: the Snapshot that it is for, of those that had the name in the course of time. */
  snapshotUid: only('stagecoach.dev/snapshot-uid'),
  /** On an Environment: the Gateway that its HTTPRoutes belong to, `namespace/name`. */
  gateway: only('stagecoach.dev/gateway'),
  /** On a Snapshot that we made: its number among the states of its Application. */
  sequence: only('stagecoach.dev/sequence'),
  /** On a Component: generate again although nothing changed. */
  forceGitOpsGeneration: only('forceGitopsGeneration'),
  /** On an Operation: `periodic-cleanup` where no user asked for it. */
  operationSource: only('source'),
  /** On an AppProject: the key of the tenant's row. */
  projectUser: only('username'),
  /** On a repository Secret: `argocd.argoproj.io`. */
  managedBy: only('managed-by'),
  /** On an Argo CD Application: asks Argo CD to compare now; Argo CD takes it away. */
  argoRefresh: only('argocd.argoproj.io/refresh'),
} as const satisfies Record<string, MetadataKey>;

export const finalizers = {
  application: only('application.appstudio.redhat.com/finalizer'),
  component: only('component.appstudio.redhat.com/finalizer'),
  /** On a claim: the binder's. */
  claim: only('binder.appstudio.redhat.com/finalizer'),
  /** On a target that a provisioner made. */
  target: {
    key: 'dt.appstudio.redhat.com/finalizer',
    alsoRead: ['provisioner.appstudio.redhat.com/finalizer', 'provionser.appstudio.redhat.com/finalizer'],
  },
  /** On an Environment that is the parent of another. */
  environment: only('environment.appstudio.redhat.com/finalizer'),
  spaceRequest: only('finalizer.toolchain.dev.openshift.com'),
  /** Set by users who want a deletion to wait until everything is gone. */
  gitOpsDeployment: only('resources-finalizer.managed-gitops.redhat.com'),
  argoApplication: only('resources-finalizer.argocd.argoproj.io/background'),
} as const satisfies Record<string, MetadataKey>;

export const labels = {
  /** On Bindings and promotions. */
  application: 'appstudio.application',
  environment: 'appstudio.environment',
  /** On a PromotionRun: the name of what started it. */
  cause: 'stagecoach.dev/cause',
  /** On a GitOpsDeployment that a Binding made. Every key of this family on the Binding is passed on to it. */
  family: 'appstudio.openshift.io',
  deployedApplication: 'appstudio.openshift.io/application',
  deployedComponent: 'appstudio.openshift.io/component',
  deployedEnvironment: 'appstudio.openshift.io/environment',
  /** On a Secret that was copied for an Environment. */
  environmentSecret: 'appstudio.openshift.io/environment-secret',
  /** On a SpaceRequest: the claim that it was made for, and later the target that was made from it. */
  claim: 'appstudio.openshift.io/dtc',
  target: 'appstudio.openshift.io/dt',
  /** On a target: the value of the claim's annotation of the same key. */
  targetProvisioner: 'provisioner.appstudio.redhat.com/dt-provisioner',
  /** On what a SpaceRequest made. */
  spaceRequest: 'toolchain.dev.openshift.com/spacerequest',
  spaceRequestNamespace: 'toolchain.dev.openshift.com/spacerequest-namespace',
  spaceRequestProvisionedNamespace: 'toolchain.dev.openshift.com/spacerequest-provisioned-namespace',
  parentSpace: 'toolchain.dev.openshift.com/parent-space',
  /** On what we made beside an Argo CD: the key of its row. */
  databaseId: 'databaseID',
  /** On what an Argo CD deployed, where it tracks by label: the name of the Application. Others use it for names of their own. */
  instance: 'app.kubernetes.io/instance',
  /** On a Secret of Argo CD: `cluster` or `repository`. */
  argoSecretType: 'argocd.argoproj.io/secret-type',
  /** On a Snapshot: what it was built by and for. */
  snapshotType: 'test.appstudio.openshift.io/type',
  buildPipelineRun: 'appstudio.openshift.io/build-pipelinerun',
  /** On an Environment or Binding that was made for one test. */
  snapshot: 'appstudio.openshift.io/snapshot',
  scenario: 'test.appstudio.openshift.io/scenario',
} as const;

export const secretTypes = {
  managedEnvironment: 'managed-gitops.redhat.com/managed-environment',
  repositoryCredential: 'managed-gitops.redhat.com/repository-credential',
} as const;

/** The value of an annotation, whichever of its spellings is there. The right spelling goes before the others. */
export function readAnnotation(
  found: Readonly<Record<string, string>>,
  { key, alsoRead }: MetadataKey,
): string | undefined {
  return [key, ...alsoRead].map((spelling) => found[spelling]).find((value) => value !== undefined);
}

/** Is a mark set? We write "true"; the design documents say "yes" in places. */
export function isMarked(found: Readonly<Record<string, string>>, mark: MetadataKey): boolean {
  const value = readAnnotation(found, mark);
  return value === 'true' || value === 'yes';
}
