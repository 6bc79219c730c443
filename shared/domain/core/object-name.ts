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
