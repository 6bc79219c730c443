import { withSuffix } from '../core/object-name.ts';

// What a provisioner makes for a claim has names that follow from the claim, so that whoever comes after a crash finds it
// again instead of making a second one.

interface Named {
  readonly name: string;
  readonly uid: string;
}

/** As long as a label value, a namespace or a part of a host name may be: others make names of these names. */
const longest = 63;

/** Another claim of the same name, before or after, has another one. */
export function requestName({ name, uid }: Named): string {
  return withSuffix(name, `-${hexOf(uid, 5)}`, longest);
}

/** For the one time in a million that the first name is taken. */
export function otherRequestName({ name, uid }: Named): string {
  return withSuffix(name, `-${hexOf(uid, 16)}`, longest);
}

/** The names of the target of a claim: the second only where the first belongs to something else. */
export function targetNames({ name, uid }: Named): readonly [string, string] {
  return [withSuffix(name, '-dt', longest), withSuffix(name, `-${hexOf(uid, 5)}-dt`, longest)];
}

function hexOf(uid: string, digits: number): string {
  return uid.replaceAll('-', '').slice(0, digits);
}
