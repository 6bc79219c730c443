/** Others make names of this one. */
const longest = 180;
const digestLength = 10;

/**
 * The Binding that a promotion makes where there is none: in lower case. Where that is too long, or somebody else has the
 * name, it is told apart by a digest: `a-b` in `c` and `a` in `b-c` make the same one.
 */
export function bindingName(
  application: string,
  environment: string,
  digest: (text: string) => string,
  taken: readonly string[] = [],
): string {
  const whole = `${application}-${environment}-binding`.toLowerCase();
  if (whole.length <= longest && !taken.includes(whole)) return whole;
  const kept = whole.slice(0, longest - digestLength - 1).replace(/[-.]+$/, '');
  return `${kept}-${digest(`${application}/${environment}`).slice(0, digestLength)}`;
}
