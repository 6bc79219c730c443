import type { Fields } from '../core/fields.ts';

export type WorkloadKind = 'Deployment' | 'StatefulSet' | 'DaemonSet';

/** What an overlay patches. */
export interface Workload {
  readonly apiVersion: string;
  readonly kind: WorkloadKind;
  /** In its file: kustomize finds it by that, whatever prefix it gets. */
  readonly name: string;
  /** Only where its file has one: a patch has to say the same. */
  readonly namespace: string | undefined;
  /** The first one. A patch for any other name would add a container. */
  readonly container: string;
  /** Its container has variables. Where it has none, a patch that replaces them loses its own. */
  readonly hasVariables: boolean;
  /** What its pods are found by. */
  readonly selector: Readonly<Record<string, string>>;
  /** Ports of its containers that go by a name. */
  readonly namedPorts: ReadonlyMap<string, unknown>;
}

/** What overlays build on. */
export interface Base {
  /** From the root of the repository. */
  readonly path: string;
  readonly isOurs: boolean;
  readonly workload: Workload;
  /** Everything in a user's base. */
  readonly objects: readonly BaseObject[];
}

export interface BaseObject {
  readonly kind: string;
  readonly name: string;
  /** With the prefixes and suffixes that the base puts around it. */
  readonly builtName: string;
  readonly fields: Fields;
}
