import { annotations, labels, readAnnotation } from '../../contracts/kubernetes/metadata-keys.ts';
import type { SpaceRequest } from '../../contracts/kubernetes/space-request.ts';
import { fitsLabel } from '../../domain/core/object-name.ts';
import { offers, type Resources } from '../../domain/core/quantity.ts';

import type { Orphan } from '../../domain/target/orphan.ts';
import type { Provision } from '../../domain/target/provision.ts';
import { resourcesOf } from '../../domain/target/wanted-resources.ts';
import type { Wanted } from '../../ports/provisioner.ts';

/** What a SpaceRequest says, in the words of whoever asked for it. */
export function provisionOf(request: SpaceRequest, wanted: Wanted, isInsecure: boolean): Provision {
  const { metadata, status } = request;
  const what = inWords(request);
  const standing = { what, target: metadata.labels[labels.target], wakesUs: wakes(request, wanted) };
  const ready = status?.conditions.find(({ type }) => type === 'Ready');

  if (metadata.deletionTimestamp !== undefined) {
    const isStuck = ready?.reason === 'UnableToTerminate';
    const stuck = `${what} cannot be removed${ready?.message ? `: ${ready.message}` : ''}`;
    // The words of the original service, which clients know.
    const unanswered = `failed to find ConditionReady for SpaceRequest: ${metadata.name}`;
    return {
      ...standing,
      state: 'leaving',
      since: Date.parse(metadata.deletionTimestamp),
      isStuck,
      complaint: ready === undefined ? unanswered : isStuck ? stuck : '',
    };
  }

  const isUnfinished = lacksAmounts(request, wanted) || lacksLabel(request, wanted);
  if (ready?.status !== 'True') {
    const reason = ready?.reason || 'Provisioning';
    const message = ready?.message || `${what} waits for its controller`;
    return reason.startsWith('UnableTo')
      ? { ...standing, state: 'refused', reason, message }
      : { ...standing, state: 'underway', reason, message, isUnfinished };
  }

  const [access, ...others] = status?.namespaceAccess ?? [];
  if (others.length > 0) {
    const message = `${what} has made ${others.length + 1} namespaces, and a target is one namespace`;
    return { ...standing, state: 'refused', reason: 'TooManyNamespaces', message };
  }
  // Ready may be set before the access is.
  if (access === undefined || access.secretRef === '') {
    const message = `${what} is ready and does not say yet how its namespace is opened`;
    return { ...standing, state: 'underway', reason: 'WaitingForNamespaceAccess', message, isUnfinished };
  }
  return {
    ...standing,
    state: 'ready',
    access: {
      defaultNamespace: access.name,
      apiURL: status?.targetClusterURL ?? '',
      clusterCredentialsSecret: access.secretRef,
      allowInsecureSkipTLSVerify: isInsecure,
    },
    resources: amountsOf(request, annotations.grantedResources),
    isUnfinished,
  };
}

export function orphanOf({ metadata }: SpaceRequest): Orphan {
  return {
    id: metadata.uid,
    namespace: metadata.namespace,
    name: metadata.name,
    claimUid: readAnnotation(metadata.annotations, annotations.claimUid),
    created: Date.parse(metadata.creationTimestamp),
    className: readAnnotation(metadata.annotations, annotations.claimClass) ?? '',
    target: metadata.labels[labels.target],
  };
}

/** It was asked for with less than is wanted now. */
export function lacksAmounts(request: SpaceRequest, { class: asking, resources }: Wanted): boolean {
  return asking !== undefined && !offers(amountsOf(request, annotations.wantedResources), resources);
}

/** Somebody took away what makes its changes known. */
export function lacksLabel({ metadata }: SpaceRequest, { class: asking, claim }: Wanted): boolean {
  if (asking === undefined || claim === undefined) return false;
  return labelled(claim.name)[labels.claim] !== metadata.labels[labels.claim];
}

/** Names of claims may be longer than a label; such a SpaceRequest is found by its own name. */
export function labelled(claimName: string): Readonly<Record<string, string>> {
  return fitsLabel(claimName) ? { [labels.claim]: claimName } : {};
}

function inWords({ metadata }: SpaceRequest): string {
  return `SpaceRequest ${metadata.name}`;
}

/** Its labels wake the claim and the target that it names. */
function wakes({ metadata }: SpaceRequest, { claim, target }: Wanted): boolean {
  return target === undefined
    ? claim !== undefined && metadata.labels[labels.claim] === claim.name
    : metadata.labels[labels.target] === target;
}

function amountsOf(
  { metadata }: SpaceRequest,
  annotation: (typeof annotations)['wantedResources' | 'grantedResources'],
): Resources | undefined {
  const text = readAnnotation(metadata.annotations, annotation);
  if (text === undefined) return undefined;
  try {
    const resources = resourcesOf(JSON.parse(text));
    return resources === 'malformed' ? undefined : resources;
  } catch {
    // Somebody has edited it: it says nothing.
    return undefined;
  }
}
