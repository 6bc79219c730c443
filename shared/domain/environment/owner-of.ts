import type { Owned } from './environment.ts';

/** Who owns an object, as its metadata says it. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean | undefined;
  readonly blockOwnerDeletion?: boolean | undefined;
}

const apiVersion = 'appstudio.redhat.com/v1alpha1';
const kind = 'Environment';

/** Whose object is it? One that is deleted and made again has another UID: what the first one left is not its own. */
export function ownerOf(
  references: readonly OwnerReference[],
  environment: { readonly name: string; readonly uid: string | undefined },
): Pick<Owned, 'owner' | 'isOwnedWell'> {
  const own = references.filter(({ uid }) => uid === environment.uid);
  if (own.length > 0) {
    const isOwnedWell = own.every(
      (one) =>
        one.apiVersion === apiVersion && one.kind === kind && one.name === environment.name && one.controller === true,
    );
    return { owner: 'this', isOwnedWell };
  }
  // The original wrote the group of its own resources there, so only the kind is looked at.
  const isLeft = references.every((one) => one.kind === kind && one.name === environment.name);
  return { owner: references.length > 0 && isLeft ? 'predecessor' : 'stranger', isOwnedWell: false };
}

/** The owners that an object of this Environment has: Kubernetes takes it away when the Environment is gone. */
export function withOwner(
  references: readonly OwnerReference[],
  { name, uid }: { readonly name: string; readonly uid: string },
): readonly OwnerReference[] {
  const others = references.filter((one) => one.uid !== uid);
  return [...others, { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }];
}
