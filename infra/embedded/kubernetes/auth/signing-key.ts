import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** The key that signs tokens of ServiceAccounts. Its PEM is all that has to be kept. */
export interface SigningKey {
  /** The `kid` of tokens: a hash of the public key, so that it needs no registry. */
  readonly id: string;
  readonly algorithm: 'ES256' | 'RS256';
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** A new key as PKCS#8 PEM. P-256, because it is made in a millisecond; an RSA key would hold up the start. */
export function makeSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function algorithmOf(key: KeyObject): 'ES256' | 'RS256' {
  if (key.asymmetricKeyType === 'rsa') return 'RS256';
  if (key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return 'ES256';
  throw new Error(
    `The signing key is of type ${key.asymmetricKeyType ?? 'unknown'}; use an RSA or a P-256 key, or remove the file so that one is made.`,
  );
}

export function loadSigningKey(pem: string): SigningKey {
  const privateKey = createPrivateKey(pem);
  const publicKey = createPublicKey(privateKey);
  const id = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
  return { id, algorithm: algorithmOf(privateKey), privateKey, publicKey };
}

/** What /openid/v1/jwks answers. */
export function publicKeySet(keys: readonly SigningKey[]): { readonly keys: readonly Record<string, unknown>[] } {
  return {
    keys: keys.map(({ id, algorithm, publicKey }) => ({
      use: 'sig',
      kid: id,
      alg: algorithm,
      ...publicKey.export({ format: 'jwk' }),
    })),
  };
}
