import { z } from 'zod';
import { keyedList, list, text } from './parts/absent.ts';
import { instant } from './parts/instant.ts';
import { resource } from './parts/resource.ts';

// The kind belongs to the toolchain operator, which may have more fields than we know: they are let through.

const Spec = z.looseObject({
  tierName: z.string().describe('The template that the namespace is made from.'),
  targetClusterRoles: list(
    'What the cluster must be good for, all of it. Empty: the cluster of this object.',
    z.string(),
  ),
  disableInheritance: z.boolean().optional().describe('True: the members of the parent space get no access.'),
});

const NamespaceAccess = z.looseObject({
  name: z.string().describe('The namespace that was made.'),
  secretRef: text('The Secret beside this object whose key kubeconfig opens the namespace. Empty: none was made.'),
});

const SpaceCondition = z.looseObject({
  type: z.string().describe('Ready is the only one in use.'),
  status: z.string().describe('True, False or Unknown.'),
  reason: text(
    'One word for why: Provisioning, Provisioned, UnableToProvision, Terminating, UnableToTerminate and others.',
  ),
  message: text('A sentence for people.'),
  lastTransitionTime: instant('When the status last became what it is.').optional(),
  lastUpdatedTime: instant('When anything of this condition last changed.').optional(),
});

const Status = z.looseObject({
  targetClusterURL: text('The address of the API server of the cluster that the namespace is on.'),
  namespaceAccess: list('The namespaces that were made, and what opens them.', NamespaceAccess),
  conditions: keyedList('How it is doing: Ready.', 'type', SpaceCondition),
});

/** A request for a namespace, kept by the toolchain operator or, where none runs, by our own provisioner. */
export const SpaceRequest = resource({
  apiVersion: 'toolchain.dev.openshift.com/v1alpha1',
  kind: 'SpaceRequest',
  description: 'Asks for a namespace of a given tier and for credentials that open it.',
  spec: Spec.describe('What is needed.'),
  status: Status.describe('What was made.'),
});
export type SpaceRequest = z.infer<typeof SpaceRequest>;
