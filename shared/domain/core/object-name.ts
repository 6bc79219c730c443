/** What no object can be called is not asked for: some of it would be read as a path. */
export function isObjectName(name: string): boolean {
  return name.length <= 253 && /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/.test(name);
}

/** A name that Kubernetes takes for a namespace. */
export function isNamespaceName(name: string): boolean {
  return name.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name);
}

/** May it stand as the value of a label? Names of objects may be longer. */
export function fitsLabel(value: string): boolean {
  return value.length <= 63 && /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/.test(value);
}

/** A name with an end that must not get lost. What is cut off before it must not leave a name that ends a part with a dash or a dot. */
export function withSuffix(name: string, suffix: string, longest: number): string {
  return `${name.slice(0, longest - suffix.length).replace(/[-.]+$/, '')}${suffix}`;
}
