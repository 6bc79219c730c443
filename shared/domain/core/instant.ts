/** A moment as Kubernetes writes it: ISO 8601 in UTC, to the second. */
export function instantOf(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
}
