import { annotations, labels } from '../../shared/contracts/kubernetes/metadata-keys.ts';
import { fitsLabel } from '../../shared/domain/core/object-name.ts';
import { accessRules } from '../../shared/domain/space/access-rules.ts';
import { spaceNames } from '../../shared/domain/space/space-names.ts';
import type { SpaceRequest } from '../../shared/domain/space/space-request.ts';
import type { NewObject } from '../../shared/ports/cluster.ts';

// What is made for a request, as it is written. Nothing in here is secret.

export const tokenType = 'kubernetes.io/service-account-token';

export const roleReference = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: spaceNames.role };

export function subjectsOf(namespace: string): readonly object[] {
  return [{ kind: 'ServiceAccount', name: spaceNames.account, namespace }];
}

export function namespaceFor(request: SpaceRequest, name: string): NewObject {
  return {
    metadata: {
      name,
      labels: {
        ...named(labels.spaceRequest, request.name),
        ...named(labels.spaceRequestNamespace, request.namespace),
        ...named(labels.parentSpace, request.namespace),
      },
      annotations: { [annotations.spaceRequestUid.key]: request.uid },
    },
  };
}

export function accountIn(namespace: string): NewObject {
  return { metadata: { namespace, name: spaceNames.account } };
}

export function roleIn(namespace: string): NewObject {
  return { metadata: { namespace, name: spaceNames.role }, rules: accessRules };
}

export function bindingIn(namespace: string): NewObject {
  return {
    metadata: { namespace, name: spaceNames.binding },
    roleRef: roleReference,
    subjects: subjectsOf(namespace),
  };
}

export function quotaIn(namespace: string, hard: Readonly<Record<string, string>>): NewObject {
  return { metadata: { namespace, name: spaceNames.quota }, spec: { hard } };
}

export function tokenIn(namespace: string): NewObject {
  return {
    metadata: {
      namespace,
      name: spaceNames.token,
      annotations: { 'kubernetes.io/service-account.name': spaceNames.account },
    },
    type: tokenType,
  };
}

/** The labels of the Secret with the kubeconfig. */
export function kubeconfigLabels(request: SpaceRequest, namespace: string): Readonly<Record<string, string>> {
  return {
    ...named(labels.spaceRequest, request.name),
    [labels.spaceRequestProvisionedNamespace]: namespace,
  };
}

/** Goes with the request, should nobody else take it away. */
export function ownerOf({ name, uid }: SpaceRequest): object {
  return { apiVersion: 'toolchain.dev.openshift.com/v1alpha1', kind: 'SpaceRequest', name, uid };
}

function named(label: string, value: string): Readonly<Record<string, string>> {
  return fitsLabel(value) ? { [label]: value } : {};
}
