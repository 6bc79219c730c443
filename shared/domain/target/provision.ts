import type { Resources } from '../core/quantity.ts';
import type { TargetAccess } from './target.ts';

/** What a provisioner knows of what it was asked for. */
export type Provision =
  /** Nothing was made, or nothing is left of it. */
  | { readonly state: 'absent' }
  /** It is being made, or being enlarged. */
  | (Standing & {
      readonly state: 'underway';
      readonly reason: string;
      readonly message: string;
      readonly isUnfinished: boolean;
    })
  /** It is there and may be used. `resources`: what it offers, where the provisioner knows. */
  | (Standing & {
      readonly state: 'ready';
      readonly access: TargetAccess;
      readonly resources: Resources | undefined;
      readonly isUnfinished: boolean;
    })
  /** It cannot be made until somebody changes something. */
  | (Standing & { readonly state: 'refused'; readonly reason: string; readonly message: string })
  /**
   * It is being taken away, since then (milliseconds since the epoch). `isStuck`: whoever does it says that it cannot.
   * `complaint`: what is wrong with that, for the user; empty: nothing is.
   */
  | (Standing & {
      readonly state: 'leaving';
      readonly since: number;
      readonly isStuck: boolean;
      readonly complaint: string;
    });

/** `isUnfinished`, where a state has it: something of it is still to be asked for, so `provision` is called again. */
interface Standing {
  /** Its name, for the user: what to look at. */
  readonly what: string;
  /** The target that it was said to belong to. */
  readonly target: string | undefined;
  /** Its changes knock; otherwise somebody has to look again. */
  readonly wakesUs: boolean;
}
