/** The longest name of a hosted cluster: clouds make names of their own of it, with much shorter limits than Kubernetes has. */
const longestName = 30;
/** The control plane lives in a namespace `<namespace>-<name>`, and that name has at most so many characters. */
const longestNamespace = 63;
const uidCharacters = 8;

/**
 * The name of the hosted cluster of a claim, and of its pool of nodes. The same claim always has the same one, whatever
 * stands of it; another claim of the same name has another.
 */
export function hostedClusterName(claim: { readonly name: string; readonly uid: string }, namespace: string): string {
  const uid = claim.uid
    .toLowerCase()
    .replace(/[^\da-z]/g, '')
    .slice(0, uidCharacters);
  const room = Math.min(longestName, longestNamespace - namespace.length - 1) - uid.length - 1;
  return `${asLabel(claim.name).slice(0, room).replace(/-+$/, '')}-${uid}`;
}

/** A claim's name may have dots and may begin with a digit; names of services may not. */
function asLabel(name: string): string {
  const label = name
    .toLowerCase()
    .replace(/[^\da-z]+/g, '-')
    .replace(/^[\d-]+/, '');
  return label === '' ? 'cluster' : label;
}

/** The Secret of the tenant's namespace that opens the hosted cluster. */
export function hostedSecretName(hostedCluster: string): string {
  return `${hostedCluster}-kubeconfig`;
}

/** HyperShift's own Secret beside a hosted cluster, where its status does not say another. */
export function adminSecretName(hostedCluster: string): string {
  return `${hostedCluster}-admin-kubeconfig`;
}

/** A hosted cluster has one place to deploy to that needs no further rights. */
export const hostedDefaultNamespace = 'default';
