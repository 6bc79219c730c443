import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface MadeCertificate {
  readonly cert: string;
  readonly key: string;
  readonly name: string;
  readonly signer: KeyObject;
}

const HourMs = 3_600_000;

/** A certificate for loopback, signed by `issuer` or by itself. Node reads them but cannot make them. */
export function makeCertificate(name: string, issuer?: MadeCertificate, lifeMs: number = HourMs): MadeCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(objectId([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));
  const body = sequence(
    tagged(0xa0, integer(2)),
    integer(Date.now()),
    ecdsaWithSha256,
    commonName(issuer?.name ?? name),
    sequence(time(-HourMs), time(lifeMs)),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(basicConstraints(issuer === undefined), loopbackName())),
  );
  const signature = sign('sha256', body, issuer?.signer ?? privateKey);
  const certificate = sequence(body, ecdsaWithSha256, tagged(0x03, Buffer.from([0]), signature));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate
      .toString('base64')
      .match(/.{1,64}/g)
      ?.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    name,
    signer: privateKey,
  };
}

function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}

function objectId(bytes: number[]): Buffer {
  return tagged(0x06, Buffer.from(bytes));
}

function integer(value: number): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  // A first bit of one would make it negative.
  return tagged(0x02, (bytes[0] ?? 0) < 128 ? bytes : Buffer.concat([Buffer.from([0]), bytes]));
}

function commonName(name: string): Buffer {
  return sequence(tagged(0x31, sequence(objectId([0x55, 0x04, 0x03]), tagged(0x0c, Buffer.from(name)))));
}

function time(offsetMs: number): Buffer {
  const digits = new Date(Date.now() + offsetMs).toISOString().replace(/[-:T]|\.\d+/g, '');
  return tagged(0x17, Buffer.from(digits.slice(2)));
}

function basicConstraints(authority: boolean): Buffer {
  const value = authority ? sequence(tagged(0x01, Buffer.from([0xff]))) : sequence();
  return sequence(objectId([0x55, 0x1d, 0x13]), tagged(0x01, Buffer.from([0xff])), tagged(0x04, value));
}

function loopbackName(): Buffer {
  const address = tagged(0x87, Buffer.from([127, 0, 0, 1]));
  const host = tagged(0x82, Buffer.from('localhost'));
  return sequence(objectId([0x55, 0x1d, 0x11]), tagged(0x04, sequence(host, address)));
}
