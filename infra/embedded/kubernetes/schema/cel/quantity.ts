const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binary: Readonly<Record<string, bigint>> = {
  Ki: 1024n,
  Mi: 1024n ** 2n,
  Gi: 1024n ** 3n,
  Ti: 1024n ** 4n,
  Pi: 1024n ** 5n,
  Ei: 1024n ** 6n,
};

/** Amounts are kept exactly, in billionths, which is as fine as Kubernetes has them. */
const one = 10n ** 9n;

const maxInt = 2n ** 63n - 1n;

/** An amount such as `500m`, `1.5Gi` or `2e3`. */
export class Quantity {
  readonly billionths: bigint;

  constructor(billionths: bigint) {
    this.billionths = billionths;
  }

  /** Nothing where the text is not a quantity. A fraction of a billionth is rounded up, away from zero. */
  static parse(text: string): Quantity | undefined {
    const parts = /^([+-]?)(\d+\.?\d*|\.\d+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)?$/.exec(text);
    if (parts === null) return undefined;
    const [, sign, number = '', suffix = ''] = parts;
    const [whole = '', fraction = ''] = number.split('.');
    let amount = BigInt(`${whole}${fraction}`) * one;
    const power = binary[suffix];
    let exponent = -fraction.length;
    if (power !== undefined) amount *= power;
    else exponent += decimal[suffix] ?? Number(suffix.slice(1));
    // Beyond this the real server caps the value; nobody asks for more than 10^30 of anything.
    if (Math.abs(exponent) > 60) return undefined;
    const scaled = exponent >= 0 ? amount * 10n ** BigInt(exponent) : divideUp(amount, 10n ** BigInt(-exponent));
    return new Quantity(sign === '-' ? -scaled : scaled);
  }

  compareTo(other: Quantity): bigint {
    if (this.billionths === other.billionths) return 0n;
    return this.billionths > other.billionths ? 1n : -1n;
  }

  add(other: Quantity | bigint): Quantity {
    return new Quantity(this.billionths + billionthsOf(other));
  }

  sub(other: Quantity | bigint): Quantity {
    return new Quantity(this.billionths - billionthsOf(other));
  }

  sign(): bigint {
    if (this.billionths === 0n) return 0n;
    return this.billionths > 0n ? 1n : -1n;
  }

  isInteger(): boolean {
    const whole = this.billionths / one;
    return this.billionths % one === 0n && whole <= maxInt && whole >= -maxInt - 1n;
  }

  asInteger(): bigint {
    if (!this.isInteger()) throw new Error('cannot convert value to integer');
    return this.billionths / one;
  }

  asApproximateFloat(): number {
    return Number(this.billionths) / Number(one);
  }
}

function billionthsOf(amount: Quantity | bigint): bigint {
  return typeof amount === 'bigint' ? amount * one : amount.billionths;
}

function divideUp(amount: bigint, by: bigint): bigint {
  return amount % by === 0n ? amount / by : amount / by + 1n;
}
