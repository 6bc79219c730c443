import type { ToldPlace } from '../application/repository-place.ts';
import type { Said } from '../core/condition.ts';

/** A Component, as far as its rule looks at it. */
export interface Component {
  readonly uid: string;
  readonly name: string;
  readonly application: string;
  /** What is being deleted is gone a moment later, and that would not be seen as a change of its own. */
  readonly isDeleting: boolean;
  /** The one that was built last, or else the one that the user gave, exactly as it was written. Empty: there is none yet. */
  readonly image: string;
  /** The commit that the image was built from; empty where nobody said. */
  readonly commit: string;
  /** What it is built from. The revision is the user's, and may be empty. */
  readonly source: { readonly url: string; readonly revision: string } | undefined;
  readonly env: readonly { readonly name: string; readonly hasValueFrom: boolean }[];
  /** Nothing of it is written to Git. */
  readonly isSkipped: boolean;
  readonly said: readonly Said[];
  /** Where it says that it is kept. */
  readonly gitops: (ToldPlace & { readonly resourceGenerationSkipped: boolean }) | undefined;
}

/** What was frozen of a Component, the last time that anything was. */
export interface FrozenComponent {
  readonly uid: string;
  readonly image: string;
  readonly commit: string;
}

/** A Component as the rows have it. */
export interface StoredComponent {
  readonly uid: string;
  readonly application: string;
  /** The repository that its directory is in, and the directory above that. Undefined: it has none. */
  readonly repositoryId: string | undefined;
  readonly context: string;
  /** It is no more, and its directory waits to be taken away. */
  readonly isGone: boolean;
}

const longestImage = 1_024;

/** What is wrong with an image; undefined where it can be deployed as it is, or where there is none yet. */
export function imageProblem(image: string): string | undefined {
  if (image.length > longestImage) return `must not be longer than ${longestImage} characters`;
  return /[\s\p{Cc}\p{Cs}]/u.test(image) ? 'must not contain white space or control characters' : undefined;
}

/** The first thing that the user has to change, in words for them. What was frozen of it before goes on. */
export function componentProblem(
  { uid, env, image }: Component,
  frozen: readonly FrozenComponent[],
): string | undefined {
  const unsupported = env.find(({ hasValueFrom }) => hasValueFrom);
  if (unsupported !== undefined)
    return `spec.env ${unsupported.name} has valueFrom, which is not supported: write its value out`;
  const double = env.find(({ name }, place) => env.findIndex((one) => one.name === name) < place);
  if (double !== undefined) return `spec.env has ${double.name} twice: keep one of them`;
  const kept = frozen.find((one) => one.uid === uid);
  const problem = imageProblem(image) ?? (image === '' && kept !== undefined ? 'is empty' : undefined);
  if (problem === undefined) return undefined;
  return `containerImage ${problem}: ${kept === undefined ? 'it is left out of snapshots' : `snapshots keep ${kept.image}`}`;
}
