/** A quantity such as `500m` or `1.5Gi`, kept as whole billionths so that nothing is lost. */
export interface Quantity {
  readonly nanos: bigint;
  readonly format: 'decimal' | 'binary' | 'exponent';
}

const pattern = /^([+-]?)(\d+\.?\d*|\.\d+)(?:([KMGTPE]i)|([numkMGTPE]?)|[eE]([+-]?\d+))$/;
const decimalPowers: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binaryPowers = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const billion = 1_000_000_000n;

/** Undefined where the text is no quantity. */
export function parseQuantity(text: string): Quantity | undefined {
  const parts = pattern.exec(text);
  if (parts === null) return undefined;
  const [, sign, number = '', binary, decimal, exponent] = parts;
  const [whole = '', fraction = ''] = number.split('.');
  let numerator = BigInt(`${whole}${fraction}` || '0') * billion;
  let denominator = 10n ** BigInt(fraction.length);
  if (binary !== undefined) numerator *= 1024n ** BigInt(binaryPowers.indexOf(binary));
  else {
    const power = exponent === undefined ? (decimalPowers[decimal ?? ''] ?? 0) : Number(exponent);
    if (power >= 0) numerator *= 10n ** BigInt(power);
    else denominator *= 10n ** BigInt(-power);
  }
  // What is smaller than a billionth counts as one: a request is never lost.
  const nanos = numerator / denominator + (numerator % denominator === 0n ? 0n : 1n);
  const format = binary !== undefined ? 'binary' : exponent !== undefined ? 'exponent' : 'decimal';
  return { nanos: sign === '-' ? -nanos : nanos, format };
}

/** The text under which the API keeps a quantity: `1000m` is `1`, `1024Mi` is `1Gi`. Other texts stay as they are. */
export function canonicalQuantity(value: unknown): unknown {
  const text = typeof value === 'number' ? String(value) : value;
  const parsed = typeof text === 'string' ? parseQuantity(text) : undefined;
  return parsed === undefined ? value : written(parsed);
}

function written({ nanos, format }: Quantity): string {
  if (nanos === 0n) return '0';
  const sign = nanos < 0n ? '-' : '';
  const size = nanos < 0n ? -nanos : nanos;
  const isWhole = size % billion === 0n;
  if (format === 'binary' && isWhole && size >= 1024n * billion) return `${sign}${inPowersOf1024(size / billion)}`;
  let amount = size;
  let power = -9;
  while (amount % 1000n === 0n && power < 18) {
    amount /= 1000n;
    power += 3;
  }
  if (format === 'exponent') return power === 0 ? `${sign}${amount}` : `${sign}${amount}e${power}`;
  const suffix = Object.entries(decimalPowers).find(([, one]) => one === power)?.[0] ?? '';
  return `${sign}${amount}${suffix}`;
}

function inPowersOf1024(size: bigint): string {
  let amount = size;
  let power = 0;
  while (amount % 1024n === 0n && power < binaryPowers.length - 1) {
    amount /= 1024n;
    power += 1;
  }
  return `${amount}${binaryPowers[power] ?? ''}`;
}
