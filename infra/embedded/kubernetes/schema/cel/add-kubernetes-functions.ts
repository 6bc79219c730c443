import { isIPv4, isIPv6 } from 'node:net';
import type { Environment } from '@marcbachmann/cel-js';
import { Quantity } from './quantity.ts';

const sync = { async: false };

/** An absolute address, or a path that begins with a slash. */
class Address {
  readonly url: URL;
  readonly isAbsolute: boolean;

  constructor(url: URL, isAbsolute: boolean) {
    this.url = url;
    this.isAbsolute = isAbsolute;
  }

  static parse(text: string): Address | undefined {
    const isAbsolute = /^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(text);
    if (!isAbsolute && !text.startsWith('/')) return undefined;
    const url = URL.parse(text, 'http://none');
    return url === null ? undefined : new Address(url, isAbsolute);
  }
}

/** Quantities and addresses. */
export function addKubernetesFunctions(environment: Environment): void {
  addQuantities(environment);
  addAddresses(environment);
  environment.registerFunction('isIP(string): bool', (text: string) => isIPv4(text) || isIPv6(text), sync);
}

function addQuantities(environment: Environment): void {
  const add = (signature: string, body: (...args: never[]) => unknown) =>
    environment.registerFunction(signature, body, sync);
  environment.registerType('kubernetes.Quantity', Quantity);
  add('quantity(string): kubernetes.Quantity', (text: string) => {
    const quantity = Quantity.parse(text);
    if (quantity !== undefined) return quantity;
    const form = "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
    throw new Error(`quantities must match the regular expression ${form}`);
  });
  add('isQuantity(string): bool', (text: string) => Quantity.parse(text) !== undefined);
  const receiver = 'kubernetes.Quantity';
  add(`${receiver}.isGreaterThan(${receiver}): bool`, (a: Quantity, b: Quantity) => a.compareTo(b) > 0n);
  add(`${receiver}.isLessThan(${receiver}): bool`, (a: Quantity, b: Quantity) => a.compareTo(b) < 0n);
  add(`${receiver}.compareTo(${receiver}): int`, (a: Quantity, b: Quantity) => a.compareTo(b));
  add(`${receiver}.isInteger(): bool`, (a: Quantity) => a.isInteger());
  add(`${receiver}.asInteger(): int`, (a: Quantity) => a.asInteger());
  add(`${receiver}.asApproximateFloat(): double`, (a: Quantity) => a.asApproximateFloat());
  add(`${receiver}.sign(): int`, (a: Quantity) => a.sign());
  for (const other of [receiver, 'int']) {
    add(`${receiver}.add(${other}): ${receiver}`, (a: Quantity, b: Quantity | bigint) => a.add(b));
    add(`${receiver}.sub(${other}): ${receiver}`, (a: Quantity, b: Quantity | bigint) => a.sub(b));
  }
  environment.registerOperator(`${receiver} == ${receiver}`, (a: Quantity, b: Quantity) => a.compareTo(b) === 0n);
}

function addAddresses(environment: Environment): void {
  const add = (signature: string, body: (...args: never[]) => unknown) =>
    environment.registerFunction(signature, body, sync);
  environment.registerType('kubernetes.URL', Address);
  add('isURL(string): bool', (text: string) => Address.parse(text) !== undefined);
  add('url(string): kubernetes.URL', (text: string) => {
    const address = Address.parse(text);
    if (address === undefined)
      throw new Error(`URL parse error during conversion from string: parse "${text}": invalid URI for request`);
    return address;
  });
  const parts: Readonly<Record<string, (address: Address) => string>> = {
    getScheme: ({ url }) => url.protocol.replace(':', ''),
    getHost: ({ url }) => url.host,
    getHostname: ({ url }) => url.hostname.replace(/^\[|\]$/g, ''),
    getPort: ({ url }) => url.port,
  };
  for (const [name, part] of Object.entries(parts)) {
    add(`kubernetes.URL.${name}(): string`, (address: Address) => (address.isAbsolute ? part(address) : ''));
  }
  add('kubernetes.URL.getEscapedPath(): string', ({ url }: Address) => url.pathname);
  add('kubernetes.URL.getQuery(): map<string, list<string>>', ({ url }: Address) =>
    Object.fromEntries([...new Set(url.searchParams.keys())].map((key) => [key, url.searchParams.getAll(key)])),
  );
}
