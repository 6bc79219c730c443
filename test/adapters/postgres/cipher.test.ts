import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keyIdOf, openCipher, parseKeyRing } from '../../../shared/adapters/postgres/cipher.ts';

const [k1, k2] = [randomBytes(32), randomBytes(32)];
const context = { table: 'repository_credentials', column: 'auth_password', id: 'row-1' };

describe('a sealed credential', () => {
  it('opens again in its own place, whatever it contains', () => {
    const cipher = openCipher({ active: 'k1', keys: { k1 } });

    for (const secret of ['hunter2', '', 'ключ 🔑', 'x'.repeat(65_000)]) {
      expect(cipher.open(cipher.seal(secret, context), context)).toBe(secret);
    }
  });

  it('does not show the secret, and is never the same twice', () => {
    const cipher = openCipher({ active: 'k1', keys: { k1 } });

    const [first, second] = [cipher.seal('hunter2', context), cipher.seal('hunter2', context)];

    expect(Buffer.from(first).includes('hunter2')).toBe(false);
    expect(Buffer.from(first).equals(second)).toBe(false);
  });

  it('adds at most 64 bytes, which is what the limits of the tables allow for', () => {
    const id = 'k'.repeat(32);
    const cipher = openCipher({ active: id, keys: { [id]: k1 } });

    expect(cipher.seal('x'.repeat(100), context).length).toBeLessThanOrEqual(164);
  });

  it('does not open when any byte of it was changed', () => {
    const cipher = openCipher({ active: 'k1', keys: { k1 } });
    const sealed = cipher.seal('hunter2', context);

    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Uint8Array.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => cipher.open(changed, context), `byte ${at}`).toThrow();
    }
    expect(() => cipher.open(sealed.subarray(0, -1), context)).toThrow();
  });

  it.each([
    ['row', { ...context, id: 'row-2' }],
    ['column', { ...context, column: 'auth_ssh_key' }],
    ['table', { ...context, table: 'cluster_credentials' }],
    [
      'place that spells the same when run together',
      { table: 'repository_credentials', column: 'auth_passwordr', id: 'ow-1' },
    ],
  ])('does not open in another %s', (_what, elsewhere) => {
    const cipher = openCipher({ active: 'k1', keys: { k1 } });
    const sealed = cipher.seal('hunter2', context);

    expect(() => cipher.open(sealed, elsewhere)).toThrow('sealed for another row');
  });

  it('of a key that is not configured is refused with the id of the key and nothing else', () => {
    const sealed = openCipher({ active: 'k1', keys: { k1 } }).seal('hunter2', context);
    const cipher = openCipher({ active: 'k2', keys: { k2 } });

    expect(() => cipher.open(sealed, context)).toThrow(
      'repository_credentials.auth_password of row row-1 is sealed with key k1, which is not in the key ring',
    );
  });

  it('of another key under the same id does not open', () => {
    const sealed = openCipher({ active: 'k1', keys: { k1 } }).seal('hunter2', context);

    expect(() => openCipher({ active: 'k1', keys: { k1: k2 } }).open(sealed, context)).toThrow('with key k1');
  });

  it('says which key it needs, and whether it should be sealed anew', () => {
    const sealed = openCipher({ active: 'k1', keys: { k1 } }).seal('hunter2', context);
    const both = openCipher({ active: 'k2', keys: { k1, k2 } });

    expect(keyIdOf(sealed)).toBe('k1');
    expect(both.needsRotation(sealed)).toBe(true);
    expect(both.needsRotation(both.seal('hunter2', context))).toBe(false);
    expect(both.open(sealed, context)).toBe('hunter2');
  });

  it('is told apart from clear text that was stored by mistake', () => {
    const cipher = openCipher({ active: 'k1', keys: { k1 } });

    expect(() => cipher.open(Buffer.from('hunter2'), context)).toThrow('not one that was sealed');
    expect(() => cipher.open(Buffer.alloc(0), context)).toThrow('not one that was sealed');
  });
});

describe('the key ring', () => {
  const [one, two] = [k1.toString('base64'), k2.toString('base64')];

  it('takes the last key as the active one unless another is named', () => {
    expect(parseKeyRing(`k1:${one},k2:${two}`).active).toBe('k2');
    expect(parseKeyRing(`k1:${one}, k2:${two}`, 'k1').active).toBe('k1');
    expect(parseKeyRing(`k1:${one}`).keys['k1']).toEqual(k1);
  });

  it.each([
    ['without an id', one, 'encryption key number 1 has no usable id'],
    ['that is empty', '', 'encryption key number 1 has no usable id'],
    ['with an id of odd letters', `k 1:${one}`, 'encryption key number 1 has no usable id'],
    ['that is too short', 'k1:c2hvcnQ=', 'encryption key k1 is not 32 bytes in base64'],
    ['that is not base64', `k1:${'*'.repeat(44)}`, 'encryption key k1 is not 32 bytes in base64'],
    ['that is there twice', `k1:${one},k1:${two}`, 'encryption key k1 is there twice'],
  ])('refuses a key %s', (_what, text, complaint) => {
    expect(() => parseKeyRing(text)).toThrow(complaint);
  });

  it('never repeats a value in its complaints', () => {
    const secret = 'c2VjcmV0IHNlY3JldA==';

    for (const text of [secret, `k1:${secret}`, `k1:${one},${secret}`]) {
      let complaint = '';
      try {
        parseKeyRing(text);
      } catch (error) {
        complaint = String(error);
      }
      expect(complaint).toContain('encryption key');
      expect(complaint).not.toContain(secret);
    }
  });

  it('must contain the active key, and keys of 32 bytes', () => {
    expect(() => openCipher({ active: 'k3', keys: { k1 } })).toThrow(
      'the active encryption key k3 is not in the key ring',
    );
    expect(() => openCipher({ active: 'k1', keys: { k1: k1.subarray(1) } })).toThrow('encryption key k1 has 31 bytes');
  });
});
