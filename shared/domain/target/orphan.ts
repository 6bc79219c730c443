/** Something that a provisioner made for a claim, which may be gone by now. */
export interface Orphan {
  /** What the provisioner knows it by. */
  readonly id: string;
  readonly namespace: string;
  /** Its name, for the user. */
  readonly name: string;
  /** The claim that it was made for. Undefined: it does not say, because the original service made it. */
  readonly claimUid: string | undefined;
  /** Milliseconds since the epoch. */
  readonly created: number;
  /** The class that asked for it; empty: it does not say. */
  readonly className: string;
  /** The target that was made of it; undefined: none was, or nobody has said so. */
  readonly target: string | undefined;
}
