/** No vowels and nothing that looks like another letter, as in generated names. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, ordered(item)]));
}

/** FNV-1a, 32 bits: short, and spread well enough for names. */
export function fingerprint(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/** A short name for a pod template: the same for equal templates, and safe in a DNS name. */
export function templateHash(template: unknown, collisions = 0): string {
  const text = `${JSON.stringify(ordered(template))}${collisions === 0 ? '' : `/${collisions}`}`;
  return [...String(fingerprint(text))].map((digit) => letters.charAt(digit.charCodeAt(0) % letters.length)).join('');
}
