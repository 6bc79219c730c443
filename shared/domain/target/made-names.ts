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
  return withSuffix(name, `-${hexOf(uid, 5)}`);
}

/** For the one time in a million that the first name is taken. */
export function otherRequestName({ name, uid }: Named): string {
  return withSuffix(name, `-${hexOf(uid, 16)}`);
}

/** The names of the target of a claim: the second only where the first belongs to something else. */
export function targetNames({ name, uid }: Named): readonly [string, string] {
  return [withSuffix(name, '-dt'), withSuffix(name, `-${hexOf(uid, 5)}-dt`)];
}

function hexOf(uid: string, digits: number): string {
  return uid.replaceAll('-', '').slice(0, digits);
}

/** What is cut off must not leave a name that ends a part with a dash or a dot. */
function withSuffix(name: string, suffix: string): string {
  return `${name.slice(0, longest - suffix.length).replace(/[-.]+$/, '')}${suffix}`;
}
