import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A credential as it is stored. Only `seal` makes one. */
export type Sealed = Uint8Array & { readonly sealed: true };

/** Where the value is stored. It is bound to that place: moved to another row or column, it cannot be opened. */
export type SealContext = { readonly table: string; readonly column: string; readonly id: string };

export type KeyRing = {
  /** The key that new values are sealed with. */
  readonly active: string;
  /** Every key that stored values may be sealed with, by id; 32 bytes each. */
  readonly keys: Readonly<Record<string, Uint8Array>>;
};

export type Cipher = {
  readonly activeKeyId: string;
  seal(plaintext: string, context: SealContext): Sealed;
  open(sealed: Uint8Array, context: SealContext): string;
  needsRotation(sealed: Uint8Array): boolean;
};

// A sealed value: version, length of the key id, key id, nonce, tag, ciphertext.
const version = 1;
const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;
const keyIdShape = /^[A-Za-z0-9._-]{1,32}$/;

/** AES-256-GCM with a random nonce: one key seals some four thousand million values before it should be replaced. */
export function openCipher({ active, keys }: KeyRing): Cipher {
  const ring = new Map(Object.entries(keys));
  for (const [id, key] of ring) {
    if (!keyIdShape.test(id))
      throw new Error('an encryption key id has 1 to 32 letters, digits, dots, dashes or underscores');
    if (key.length !== keyBytes)
      throw new Error(`encryption key ${id} has ${key.length} bytes, it must have ${keyBytes}`);
  }
  const activeKey = ring.get(active);
  if (activeKey === undefined) throw new Error(`the active encryption key ${active} is not in the key ring: add it`);

  return {
    activeKeyId: active,

    seal(plaintext, context) {
      const head = headOf(active);
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', activeKey, nonce, { authTagLength: tagBytes });
      cipher.setAAD(boundTo(head, context));
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return Buffer.concat([head, nonce, cipher.getAuthTag(), ciphertext]) as unknown as Sealed;
    },

    open(sealed, context) {
      const { keyId, head, nonce, tag, ciphertext } = takeApart(sealed);
      const key = ring.get(keyId);
      if (key === undefined) {
        throw new Error(
          `${inWords(context)} is sealed with key ${keyId}, which is not in the key ring: add it again until everything is rotated`,
        );
      }
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
      decipher.setAAD(boundTo(head, context));
      decipher.setAuthTag(tag);
      try {
        return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new Error(
          `${inWords(context)} cannot be opened with key ${keyId}: it was changed, was sealed for another row, or the key is another one under the same id`,
          { cause },
        );
      }
    },

    needsRotation: (sealed) => keyIdOf(sealed) !== active,
  };
}

/** What stands in for a cipher where no keys are configured: whoever has a secret to keep is told what is missing. */
export const lockedCipher: Cipher = {
  activeKeyId: 'none',
  seal: locked,
  open: locked,
  needsRotation: () => false,
};

function locked(): never {
  throw new Error('There are no keys for credentials: set CREDENTIAL_KEYS_FILE');
}

/** The id of the key that a value is sealed with; needs no key. */
export function keyIdOf(sealed: Uint8Array): string {
  return takeApart(sealed).keyId;
}

/**
 * Reads a key ring from a setting: `k1:<base64>,k2:<base64>`. Without a choice the last key is the active one, so a new
 * key is put at the end. Complaints name the position or the id, never a value.
 */
export function parseKeyRing(text: string, active?: string): KeyRing {
  const keys: Record<string, Uint8Array> = {};
  let last = '';
  for (const [index, entry] of text
    .trim()
    .split(/[,\n]+/)
    .entries()) {
    const colon = entry.indexOf(':');
    const id = entry.slice(0, Math.max(0, colon)).trim();
    if (!keyIdShape.test(id)) {
      throw new Error(
        `encryption key number ${index + 1} has no usable id: write each as id:base64, on a line of its own or separated by commas`,
      );
    }
    if (id in keys) throw new Error(`encryption key ${id} is there twice: give every key an id of its own`);
    const encoded = entry.slice(colon + 1).trim();
    const key = Buffer.from(encoded, 'base64');
    if (key.length !== keyBytes || key.toString('base64').replace(/=+$/, '') !== encoded.replace(/=+$/, '')) {
      throw new Error(
        `encryption key ${id} is not ${keyBytes} bytes in base64: make one with "openssl rand -base64 32"`,
      );
    }
    keys[id] = key;
    last = id;
  }
  return { active: active ?? last, keys };
}

function takeApart(sealed: Uint8Array) {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const headBytes = 2 + (bytes[1] ?? 0);
  if (bytes[0] !== version || bytes.length < headBytes + nonceBytes + tagBytes) {
    throw new Error('the value is not one that was sealed by this version of the service');
  }
  const nonceEnd = headBytes + nonceBytes;
  return {
    head: bytes.subarray(0, headBytes),
    keyId: bytes.toString('latin1', 2, headBytes),
    nonce: bytes.subarray(headBytes, nonceEnd),
    tag: bytes.subarray(nonceEnd, nonceEnd + tagBytes),
    ciphertext: bytes.subarray(nonceEnd + tagBytes),
  };
}

function headOf(keyId: string): Buffer {
  return Buffer.concat([Buffer.from([version, keyId.length]), Buffer.from(keyId, 'latin1')]);
}

/** As JSON, so that no two places read the same. */
function boundTo(head: Buffer, { table, column, id }: SealContext): Buffer {
  return Buffer.concat([head, Buffer.from(JSON.stringify([table, column, id]))]);
}

function inWords({ table, column, id }: SealContext): string {
  return `${table}.${column} of row ${id}`;
}
