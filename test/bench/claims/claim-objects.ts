/** The API group of one of the two ways that are compared. */
export const ourGroup = 'appstudio.redhat.com';
/** The same CRDs under another group: the same API server with the same work, and a host that does not notice. */
export const floorGroup = 'floor.appstudio.redhat.com';

/** As much of a claim or a target as is looked at here. */
export interface ClaimObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly resourceVersion: string;
  };
  readonly status?: { readonly phase?: string };
}

export function claimsPath(group: string, namespace?: string): string {
  return pathOf(group, 'deploymenttargetclaims', namespace);
}

export function targetsPath(group: string, namespace?: string): string {
  return pathOf(group, 'deploymenttargets', namespace);
}

function pathOf(group: string, plural: string, namespace: string | undefined): string {
  return `/apis/${group}/v1alpha1/${namespace === undefined ? '' : `namespaces/${namespace}/`}${plural}`;
}

/** Anybody's target, as a person makes it. */
export function target(group: string, namespace: string, name: string): object {
  return {
    apiVersion: `${group}/v1alpha1`,
    kind: 'DeploymentTarget',
    metadata: { name, namespace },
    spec: {
      deploymentTargetClassName: '',
      kubernetesCredentials: {
        defaultNamespace: 'default',
        apiURL: 'https://api.example.com:6443',
        clusterCredentialsSecret: 'any',
        allowInsecureSkipTLSVerify: false,
      },
    },
  };
}

export function claim(group: string, namespace: string, name: string): object {
  return {
    apiVersion: `${group}/v1alpha1`,
    kind: 'DeploymentTargetClaim',
    metadata: { name, namespace },
    spec: { deploymentTargetClassName: '' },
  };
}
