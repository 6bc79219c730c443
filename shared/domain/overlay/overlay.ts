import type { Resources } from '../core/quantity.ts';

/** A variable of the component's container. */
export interface Variable {
  readonly name: string;
  readonly value: string;
}

export interface Gateway {
  readonly namespace: string;
  readonly name: string;
}

/** How a component is reached from outside. */
export type Exposure =
  /** An empty host: OpenShift makes one up. */
  | { readonly with: 'Route'; readonly name: string; readonly host: string }
  | { readonly with: 'Ingress'; readonly host: string }
  | { readonly with: 'HTTPRoute'; readonly host: string; readonly gateway: Gateway | undefined };

/** Everything that the overlay of one component in one environment is made from. */
export interface OverlayInput {
  /** Name of the Component, and of what is rendered for it. */
  readonly component: string;
  /** What the Component calls itself in its spec: a label, nothing more. */
  readonly componentName: string;
  readonly application: string;
  readonly environment: string;
  /** Where it will run. No file says so: that is Argo CD's part. */
  readonly namespace: string;
  /** As the Snapshot has it. */
  readonly image: string;
  readonly replicas: number;
  readonly env: readonly Variable[];
  readonly resources: Resources;
  /** 0: it listens on none. */
  readonly port: number;
  /** Empty: the image is public. */
  readonly pullSecret: string;
  readonly expose: Exposure | undefined;
  /** The user's own base, from the root of the repository. Empty: the one beside the overlays. */
  readonly kustomizeBase: string;
}

/** Why nothing is rendered until the user changes something. */
export type OverlayReason =
  | 'NameNotUsable'
  | 'ContextNotUsable'
  | 'ImageNotUsable'
  | 'VariableTwice'
  | 'ValueFromNotSupported'
  | 'ValueNotUsable'
  | 'HostMissing'
  | 'HostNotUsable'
  | 'BaseNotUsable'
  | 'BaseWithoutWorkload'
  | 'ServiceWithoutPort'
  | 'FileNotOurs'
  | 'KustomizationUnreadable'
  | 'PathNotPlain';

export interface Problem {
  readonly kind: 'problem';
  readonly reason: OverlayReason;
  readonly message: string;
}

export function problem(reason: OverlayReason, message: string): Problem {
  return { kind: 'problem', reason, message };
}

export function isProblem(answer: object): answer is Problem {
  return 'kind' in answer && answer.kind === 'problem';
}

/** Files that have to be read before the same question is asked again. */
export interface Needs {
  readonly kind: 'needs';
  readonly paths: readonly string[];
}

/** What becomes of which file; undefined: it goes. A file that is as it should be is not named. */
export type Changes = ReadonlyMap<string, string | undefined>;

export type Rendering =
  | Needs
  | Problem
  | {
      readonly kind: 'rendered';
      /** The folder that Argo CD builds. */
      readonly path: string;
      /** As HAS reported it: the patch alone. */
      readonly generatedResources: readonly string[];
      readonly changes: Changes;
    };

export type Pruning = Needs | { readonly kind: 'pruned'; readonly changes: Changes };
