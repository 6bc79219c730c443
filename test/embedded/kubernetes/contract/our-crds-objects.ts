import { foreignKinds, ourKinds } from '../../../../shared/contracts/kubernetes/catalogue.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The least that each of our kinds wants to be told. */
export const leastSpecs = {
  Application: { displayName: 'Shop' },
  Component: { componentName: 'cart', application: 'shop', containerImage: 'quay.io/shop/cart:1' },
  Environment: { displayName: 'Staging', deploymentStrategy: 'Manual' },
  Snapshot: {},
  SnapshotEnvironmentBinding: { application: 'shop', environment: 'staging', snapshot: 'first' },
  PromotionRun: { snapshot: 'first', application: 'shop', manualPromotion: { targetEnvironment: 'staging' } },
  DeploymentTarget: {
    kubernetesCredentials: {
      defaultNamespace: 'shop',
      apiURL: 'https://api.example.com:6443',
      clusterCredentialsSecret: 'cluster',
    },
  },
  DeploymentTargetClaim: {},
  DeploymentTargetClass: { provisioner: 'appstudio.redhat.com/devsandbox', reclaimPolicy: 'Delete' },
  GitOpsDeployment: { source: { repoURL: 'https://git.example.com/shop.git', path: 'overlays' }, type: 'automated' },
  GitOpsDeploymentSyncRun: { gitopsDeploymentName: 'shop' },
  GitOpsDeploymentManagedEnvironment: { credentialsSecret: 'cluster' },
  GitOpsDeploymentRepositoryCredential: { repository: 'https://git.example.com/shop.git', secret: 'git' },
  Operation: { operationID: '966e35f5-1b89-4a89-b07d-0fc37fb6c998' },
  SpaceRequest: { tierName: 'appstudio-env' },
} as const satisfies Record<string, Fields>;

export type OurKind = keyof typeof leastSpecs;

export const ourKindNames = Object.keys(leastSpecs) as OurKind[];

function kindOf(kind: string) {
  const found = [...ourKinds, ...foreignKinds].find((known) => known.kind === kind && known.group !== 'argoproj.io');
  if (found === undefined) throw new Error(`There is no kind ${kind} of ours.`);
  return found;
}

function isNamespaced(kind: string): boolean {
  return kindOf(kind).scope === 'Namespaced';
}

export function pathOfOurs(kind: string, namespace: string, name?: string, subresource?: string): string {
  const { group, version, plural } = kindOf(kind);
  const inside = isNamespaced(kind) && `namespaces/${namespace}`;
  return [`/apis/${group}/${version}`, inside, plural, name, subresource].filter(Boolean).join('/');
}

export function ourObject(kind: string, name: string, fields: Fields): Fields {
  const { group, version } = kindOf(kind);
  return { apiVersion: `${group}/${version}`, kind, metadata: { name }, ...fields };
}

/** How a refusal of such an object begins. */
export function invalid(kind: string, name: string): string {
  return `${kind}.${kindOf(kind).group} "${name}" is invalid: `;
}
