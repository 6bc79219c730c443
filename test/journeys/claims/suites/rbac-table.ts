/** Rights as people say them: verbs, then the API group and the resources of it. The core group is `core`. */
export type Rights = readonly string[];

/**
 * Everything that is asked about, of every account. What an account's line below does not name, it must not have: that
 * is every empty cell of the access matrix, and more.
 */
export const askedAbout: Readonly<Record<string, readonly string[]>> = {
  'appstudio.redhat.com': [
    'environments',
    'environments/status',
    'environments/finalizers',
    'deploymenttargets',
    'deploymenttargets/status',
    'deploymenttargetclaims',
    'deploymenttargetclaims/status',
    'deploymenttargetclasses',
    'applications',
    'applications/status',
    'components',
    'components/status',
    'snapshots',
    'snapshots/status',
    'snapshotenvironmentbindings',
    'snapshotenvironmentbindings/status',
    'snapshotenvironmentbindings/finalizers',
    'promotionruns',
    'promotionruns/status',
  ],
  'managed-gitops.redhat.com': [
    'gitopsdeployments',
    'gitopsdeployments/status',
    'gitopsdeploymentmanagedenvironments',
    'gitopsdeploymentmanagedenvironments/status',
    'gitopsdeploymentrepositorycredentials',
    'gitopsdeploymentrepositorycredentials/status',
    'gitopsdeploymentsyncruns',
    'gitopsdeploymentsyncruns/status',
    'operations',
  ],
  'toolchain.dev.openshift.com': ['spacerequests', 'spacerequests/status'],
  'hypershift.openshift.io': ['hostedclusters', 'nodepools'],
  'argoproj.io': ['applications', 'appprojects'],
  core: [
    'secrets',
    'namespaces',
    'namespaces/finalize',
    'serviceaccounts',
    'serviceaccounts/token',
    'resourcequotas',
    'configmaps',
    'pods',
    'pods/exec',
    'nodes',
  ],
  apps: ['deployments'],
  'rbac.authorization.k8s.io': ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'],
  'apiextensions.k8s.io': ['customresourcedefinitions'],
  'admissionregistration.k8s.io': ['validatingwebhookconfigurations'],
};

export const verbs: readonly string[] = [
  ...['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
  ...['escalate', 'bind', 'impersonate'],
];

const fourKinds =
  'gitopsdeployments gitopsdeploymentmanagedenvironments gitopsdeploymentrepositorycredentials gitopsdeploymentsyncruns';

/** What each function may do in a tenant's namespace, and to what belongs to the cluster. */
export const functionRights: Readonly<Record<string, Rights>> = {
  'bind-claim': [
    'get,list,update,patch,delete appstudio.redhat.com deploymenttargets deploymenttargetclaims',
    'patch appstudio.redhat.com deploymenttargets/status deploymenttargetclaims/status',
    'get appstudio.redhat.com deploymenttargetclasses',
    'get,list toolchain.dev.openshift.com spacerequests',
    'get core namespaces',
  ],
  'bind-target': [
    'get,list,update,patch appstudio.redhat.com deploymenttargets',
    'patch appstudio.redhat.com deploymenttargets/status',
    'get,list appstudio.redhat.com deploymenttargetclaims',
    'get appstudio.redhat.com deploymenttargetclasses',
  ],
  'provision-target': [
    'get,create,patch,delete appstudio.redhat.com deploymenttargets',
    'get appstudio.redhat.com deploymenttargetclaims',
    'patch appstudio.redhat.com deploymenttargetclaims/status',
    'get,list appstudio.redhat.com deploymenttargetclasses',
    'get,list,create,patch,delete toolchain.dev.openshift.com spacerequests',
    'get core namespaces',
  ],
  'reclaim-target': [
    'get,patch,delete appstudio.redhat.com deploymenttargets',
    'patch appstudio.redhat.com deploymenttargets/status',
    'get appstudio.redhat.com deploymenttargetclasses',
    'get,list,patch,delete toolchain.dev.openshift.com spacerequests',
  ],
  'provision-space': [
    'get,patch toolchain.dev.openshift.com spacerequests',
    'patch toolchain.dev.openshift.com spacerequests/status',
    'get,create,delete core namespaces',
    'get,create,patch,delete core secrets',
    'create core serviceaccounts resourcequotas',
    'create,escalate rbac.authorization.k8s.io roles',
    'create rbac.authorization.k8s.io rolebindings',
  ],
  'reconcile-environment': [
    'get,list,patch appstudio.redhat.com environments',
    'patch appstudio.redhat.com environments/status',
    'update appstudio.redhat.com environments/finalizers',
    'get appstudio.redhat.com deploymenttargets deploymenttargetclaims',
    'get,create,patch,delete managed-gitops.redhat.com gitopsdeploymentmanagedenvironments',
    'get,create,patch,delete core secrets',
    'get core namespaces',
  ],
  'reconcile-application': [
    'get appstudio.redhat.com applications',
    'patch appstudio.redhat.com applications/status',
    'list appstudio.redhat.com components',
    'get core namespaces',
  ],
  'create-snapshot': [
    'get,list appstudio.redhat.com components',
    'patch appstudio.redhat.com components/status',
    'get appstudio.redhat.com applications',
    'get,list,create appstudio.redhat.com snapshots',
    'get core namespaces',
  ],
  'start-promotion': [
    'get,list appstudio.redhat.com snapshots',
    'patch appstudio.redhat.com snapshots/status',
    'get appstudio.redhat.com applications',
    'list appstudio.redhat.com environments',
    'get,create appstudio.redhat.com promotionruns',
    'get core namespaces',
  ],
  'advance-promotion': [
    'get,list,create,patch appstudio.redhat.com promotionruns',
    'patch appstudio.redhat.com promotionruns/status',
    'get,list,create,patch appstudio.redhat.com snapshotenvironmentbindings',
    'get,create managed-gitops.redhat.com gitopsdeploymentsyncruns',
    'get appstudio.redhat.com applications snapshots deploymenttargets deploymenttargetclaims',
    'get,list appstudio.redhat.com environments',
    'list appstudio.redhat.com components',
    'get core namespaces',
  ],
  'forward-binding': ['list appstudio.redhat.com snapshotenvironmentbindings'],
  'reconcile-binding': [
    'get,patch,delete appstudio.redhat.com snapshotenvironmentbindings',
    'patch appstudio.redhat.com snapshotenvironmentbindings/status',
    'update appstudio.redhat.com snapshotenvironmentbindings/finalizers',
    'get appstudio.redhat.com applications environments snapshots deploymenttargets deploymenttargetclaims',
    'get,list appstudio.redhat.com components',
    'get,list,create,patch,delete managed-gitops.redhat.com gitopsdeployments',
    'get core namespaces',
  ],
  'reconcile-gitops-deployment': [
    'get,patch managed-gitops.redhat.com gitopsdeployments',
    'patch managed-gitops.redhat.com gitopsdeployments/status',
    'get managed-gitops.redhat.com gitopsdeploymentmanagedenvironments',
    'get core namespaces',
  ],
  'reconcile-managed-environment': [
    'get managed-gitops.redhat.com gitopsdeploymentmanagedenvironments',
    'patch managed-gitops.redhat.com gitopsdeploymentmanagedenvironments/status',
    'get core secrets namespaces',
  ],
  'reconcile-repo-credential': [
    'get managed-gitops.redhat.com gitopsdeploymentrepositorycredentials',
    'patch managed-gitops.redhat.com gitopsdeploymentrepositorycredentials/status',
    'get core secrets namespaces',
  ],
  'forward-secret': [
    'list managed-gitops.redhat.com gitopsdeploymentmanagedenvironments gitopsdeploymentrepositorycredentials',
  ],
  'run-sync': [
    'get,list managed-gitops.redhat.com gitopsdeploymentsyncruns',
    'patch managed-gitops.redhat.com gitopsdeploymentsyncruns/status',
    'get managed-gitops.redhat.com gitopsdeployments',
  ],
  'apply-operation': ['get managed-gitops.redhat.com operations', 'get core namespaces'],
  'report-status': [
    'get managed-gitops.redhat.com gitopsdeployments',
    'patch managed-gitops.redhat.com gitopsdeployments/status',
  ],
  'admit-resource': ['list appstudio.redhat.com environments snapshotenvironmentbindings', 'get core namespaces'],
  'serve-console': ['list appstudio.redhat.com environments'],
  'reconcile-drift': [
    `get,list managed-gitops.redhat.com ${fourKinds}`,
    'get,list appstudio.redhat.com environments deploymenttargets',
    'get,list appstudio.redhat.com applications components snapshots snapshotenvironmentbindings promotionruns',
    'list appstudio.redhat.com deploymenttargetclaims',
    'list toolchain.dev.openshift.com spacerequests',
    'get,list core namespaces',
  ],
  'collect-garbage': [
    `list managed-gitops.redhat.com ${fourKinds}`,
    'list,delete managed-gitops.redhat.com operations',
    'get core namespaces',
  ],
};

/** What some may do beside an Argo CD on top of that. */
export const rightsBesideArgoCd: Readonly<Record<string, Rights>> = {
  'apply-operation': [
    'get,list,create,patch,delete argoproj.io applications',
    'get,create,patch,delete argoproj.io appprojects',
    'get,list,create,patch,delete core secrets',
    'create,patch,delete managed-gitops.redhat.com operations',
  ],
  'report-status': ['get argoproj.io applications'],
  'reconcile-drift': ['get,list argoproj.io applications appprojects', 'get,list core secrets'],
  'collect-garbage': ['list,delete argoproj.io appprojects', 'list argoproj.io applications'],
};

/** The rest of what the host's own account may do: it has the rights of all functions. */
export const hostRights: Rights = [
  'list,watch appstudio.redhat.com environments deploymenttargets deploymenttargetclaims',
  'list,watch appstudio.redhat.com applications components snapshots snapshotenvironmentbindings promotionruns',
  `list,watch managed-gitops.redhat.com ${fourKinds} operations`,
  'list,watch toolchain.dev.openshift.com spacerequests',
  'list,watch argoproj.io applications',
  'list,watch core secrets',
];

/** In the namespace where they were given it. */
export const peoplesRights: Readonly<Record<string, Rights>> = {
  user: [
    'create,delete,get,list,watch appstudio.redhat.com deploymenttargets',
    'create,delete,update,patch,get,list,watch appstudio.redhat.com deploymenttargetclaims environments',
  ],
  integration: ['create,delete,get,list,watch appstudio.redhat.com deploymenttargetclaims environments'],
  developer: [
    'get,list,watch,create,update,patch,delete appstudio.redhat.com applications components snapshots snapshotenvironmentbindings promotionruns',
  ],
  'gitops-user': [`get,list,watch,create,update,patch,delete managed-gitops.redhat.com ${fourKinds}`],
};

/** Of the role that is bound for the whole cluster, because classes belong to it. */
export const rightsEverywhere: Readonly<Record<string, Rights>> = {
  classes: ['get,list,watch appstudio.redhat.com deploymenttargetclasses'],
};
