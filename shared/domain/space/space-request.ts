import type { Said } from '../core/condition.ts';
import type { Effect } from '../core/step.ts';

/** A request for a namespace, as the rule sees it. */
export interface SpaceRequest {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly isDeleting: boolean;
  /** It carries the finalizer, so that it does not go before what was made for it. */
  readonly isHeld: boolean;
  readonly tier: string;
  /** How much the namespace may use, and how much it was given: JSON, as it was written. Undefined: nobody said. */
  readonly wanted: string | undefined;
  readonly granted: string | undefined;
  readonly said: readonly Said[];
  readonly server: string;
  readonly access: readonly { readonly name: string; readonly secret: string }[];
}

/** A namespace that was made for the request. */
export interface Place {
  readonly name: string;
  readonly uid: string;
  /** When it began to go, in milliseconds since the epoch; undefined: it stays. */
  readonly leavingSince: number | undefined;
  /** What Kubernetes says keeps it from going; empty: nothing is known. */
  readonly inTheWay: string;
}

export type PartState = 'absent' | 'wrong' | 'right';

export const accessParts = ['service-account', 'role', 'role-binding'] as const;
export type AccessPart = (typeof accessParts)[number];

export interface SeenSpace {
  readonly request: SpaceRequest;
  /** The namespace of the request is going or gone. */
  readonly isHomeLeaving: boolean;
  /** The tiers that may be asked for. */
  readonly tiers: readonly string[];
  /** The address that the kubeconfig and the status give. */
  readonly server: string;
  /** What was made for this request: one, or none. More of them would be a crash between two names. */
  readonly places: readonly Place[];
  /** What a namespace for it could be called; undefined: all its names are taken by others. */
  readonly freeName: string | undefined;
  /** What is in the first of the places. */
  readonly parts: Readonly<Record<AccessPart, PartState>>;
  /** What the quota allows; undefined: there is none. */
  readonly quota: Readonly<Record<string, string>> | undefined;
  /** `foreign`: something of that name is no token of the account. */
  readonly token: 'absent' | 'empty' | 'filled' | 'foreign';
  /** The Secret beside the request; `name` is undefined where all its names are taken by others. */
  readonly kubeconfig: { readonly name: string | undefined; readonly state: PartState };
}

/** What is done, in this order. Whatever is secret is read where it is written. */
export type SpaceEffect = Effect &
  (
    | { readonly do: 'hold-request' }
    | { readonly do: 'make-namespace'; readonly namespace: string }
    | { readonly do: 'write-access'; readonly namespace: string; readonly part: AccessPart }
    | { readonly do: 'write-quota'; readonly namespace: string; readonly hard: Readonly<Record<string, string>> }
    | { readonly do: 'remove-quota'; readonly namespace: string }
    | { readonly do: 'make-token'; readonly namespace: string }
    | { readonly do: 'remove-foreign-token'; readonly namespace: string }
    | { readonly do: 'write-kubeconfig'; readonly namespace: string; readonly secret: string }
    | { readonly do: 'record-grant'; readonly resources: string | undefined }
    | { readonly do: 'delete-namespace'; readonly namespace: string }
    | { readonly do: 'delete-kubeconfig'; readonly secret: string }
    | { readonly do: 'let-go-of-request' }
    /** The conditions of the step, and with `access` where the namespace is and what opens it. */
    | {
        readonly do: 'tell-user';
        readonly at: number;
        readonly access?: { readonly namespace: string; readonly secret: string; readonly server: string };
      }
  );
