/** Amounts by the name of the resource, as Kubernetes writes them: `cpu: 200m`, `memory: 1Gi`. */
export type Amounts = Readonly<Record<string, string>>;

/** What is asked for or offered. */
export interface Resources {
  readonly requests?: Amounts | undefined;
  readonly limits?: Amounts | undefined;
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

/** Kubernetes counts no further, in whole units. */
const most = (2n ** 63n - 1n) * 1_000_000_000n;

/** No amount that can be counted has a greater power of ten, and none with a smaller one is more than a billionth. */
const greatestPower = 100;

/** An amount in billionths, so that nothing is lost. What is no amount counts as nothing. */
export function billionthsOf(amount: string | undefined): bigint {
  const parts = pattern.exec(amount ?? '');
  if (parts === null) return 0n;
  const [, sign, number = '', binary, decimal, exponent] = parts;
  const [whole = '', fraction = ''] = number.split('.');
  const digits = BigInt(`${whole}${fraction}` || '0');
  const size = sizeOf(digits, fraction.length, binary, decimal, exponent);
  const counted = size > most ? most : size;
  return sign === '-' ? -counted : counted;
}

function sizeOf(
  digits: bigint,
  decimals: number,
  binary: string | undefined,
  decimal = '',
  exponent: string | undefined,
): bigint {
  if (binary !== undefined) {
    const size = digits * 1024n ** BigInt(binaryPowers.indexOf(binary)) * 1_000_000_000n;
    return ceilDivide(size, 10n ** BigInt(decimals));
  }
  const given = exponent === undefined ? (decimalPowers[decimal] ?? 0) : Number(exponent);
  const power = 9 - decimals + Math.max(-greatestPower, Math.min(greatestPower, given));
  return power >= 0 ? digits * 10n ** BigInt(power) : ceilDivide(digits, 10n ** BigInt(-power));
}

/** What is smaller than a billionth counts as one: a request is never lost. */
function ceilDivide(size: bigint, by: bigint): bigint {
  return (size + by - 1n) / by;
}

/** Is everything that is asked for offered? What an offer does not name, it does not have. */
export function offers(offered: Resources | undefined, asked: Resources | undefined): boolean {
  return covers(offered?.requests, asked?.requests) && covers(offered?.limits, asked?.limits);
}

function covers(offered: Amounts | undefined, asked: Amounts | undefined): boolean {
  return Object.entries(asked ?? {}).every(([name, amount]) => billionthsOf(offered?.[name]) >= billionthsOf(amount));
}
