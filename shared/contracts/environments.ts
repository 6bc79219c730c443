import type { Environment, Place, Sibling } from '../domain/environment/environment.ts';
import type { Environment as EnvironmentObject } from './kubernetes/environment.ts';
import { finalizers } from './kubernetes/metadata-keys.ts';

export function siblingOf({ metadata, spec, status }: EnvironmentObject): Sibling {
  return {
    name: metadata.name,
    parent: spec.parentEnvironment,
    isDeleting: metadata.deletionTimestamp !== undefined,
    isHeld: metadata.finalizers.includes(finalizers.environment.key),
    said: status?.conditions ?? [],
  };
}

export function environmentOf(object: EnvironmentObject): Environment {
  const { metadata, spec } = object;
  return {
    ...siblingOf(object),
    uid: metadata.uid,
    version: metadata.resourceVersion,
    // A name that was left empty names nobody.
    claimName: spec.configuration?.target?.deploymentTargetClaim?.claimName || undefined,
    credentials: credentialsOf(spec.unstableConfigurationFields?.kubernetesCredentials),
    targetDeadline: spec.promotion.targetDeadline,
  };
}

type Credentials = NonNullable<
  NonNullable<EnvironmentObject['spec']['unstableConfigurationFields']>['kubernetesCredentials']
>;

/** An ingress domain alone leads nowhere: an Environment with a claim, or in its own namespace, may have one. */
function credentialsOf(given: Credentials | undefined): Place | undefined {
  if (given === undefined) return undefined;
  const { apiURL, clusterCredentialsSecret: secretName, targetNamespace } = given;
  const { allowInsecureSkipTLSVerify, namespaces, clusterResources } = given;
  const leadsSomewhere = apiURL !== '' || secretName !== '' || targetNamespace !== '' || namespaces.length > 0;
  return leadsSomewhere ? { apiURL, secretName, allowInsecureSkipTLSVerify, namespaces, clusterResources } : undefined;
}
