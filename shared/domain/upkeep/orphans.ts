import { applicationIdOf } from '../gitops/names.ts';
import type { Finding } from './drift.ts';

/**
 * What an Argo CD deployed for a GitOpsDeployment carries the name of its Application in a label, where that Argo CD tracks
 * by label. When the GitOpsDeployment is long gone and something is left all the same, nobody would ever take it away.
 */

/** So often at most: it asks for every kind of object that the cluster has. */
export const orphanSeconds = 2 * 60 * 60;

/** Something in a namespace, of whatever kind. */
export interface Leftover {
  readonly namespace: string;
  readonly name: string;
  readonly deleting: boolean;
}

/** Data outlives what wrote it: a volume is never taken away by us. */
export function mayBeTaken({ group, plural }: { readonly group: string; readonly plural: string }): boolean {
  return !(group === '' && plural === 'persistentvolumeclaims');
}

/** Namespaces of tenants, by the end of their names. Those of the platform never are, whatever their names end with. */
export function isTenantNamespace(namespace: string, suffix: string): boolean {
  return suffix !== '' && namespace.endsWith(suffix) && !/^(?:openshift|kube)-/.test(namespace);
}

/** The UID of the GitOpsDeployment that something was deployed for; undefined where it is none of our business. */
export function deployedFor(
  { namespace, deleting }: Leftover,
  instance: string | undefined,
  suffix: string,
): string | undefined {
  if (deleting || !isTenantNamespace(namespace, suffix)) return undefined;
  return applicationIdOf(instance ?? '');
}

/** The line of the report about something that is taken away. */
export function orphanFinding(
  { group, plural, kind }: { readonly group: string; readonly plural: string; readonly kind: string },
  { namespace, name }: Leftover,
  deployment: string,
): Finding {
  // With its kind: a Service and a Deployment of one name are two lines.
  const what = `${group === '' ? plural : `${plural}.${group}`}/${name}`;
  return {
    kind: 'OrphanDeleted',
    subject: { namespace, name: what.slice(0, 440) },
    what: `The ${kind} was deployed for a GitOpsDeployment that is gone (UID ${deployment}), and is deleted`,
  };
}
