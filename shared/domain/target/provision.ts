import type { Resources } from '../core/quantity.ts';
import type { TargetAccess } from './target.ts';

/** What a provisioner knows of what it was asked for. */
export type Provision =
  /** Nothing was made, or nothing is left of it. */
  | { readonly state: 'absent' }
  /** It is being made, or being enlarged. `wakesUs`: its changes knock; otherwise somebody has to look again. */
  | { readonly state: 'underway'; readonly reason: string; readonly message: string; readonly wakesUs: boolean }
  /** It is there and may be used. `resources`: what it offers, where the provisioner knows. */
  | { readonly state: 'ready'; readonly access: TargetAccess; readonly resources: Resources | undefined }
  /** It cannot be made until somebody changes something. */
  | { readonly state: 'refused'; readonly reason: string; readonly message: string }
  /** It is being taken away, since then (milliseconds since the epoch). `isStuck`: whoever does it says that it cannot. */
  | {
      readonly state: 'leaving';
      readonly since: number;
      readonly isStuck: boolean;
      readonly message: string;
      readonly wakesUs: boolean;
    };
