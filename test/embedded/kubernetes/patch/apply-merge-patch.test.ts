import { describe, expect, test } from 'vitest';
import { applyMergePatch } from '../../../../infra/embedded/kubernetes/patch/apply-merge-patch.ts';
import { unsupportedPatchType } from '../../../../infra/embedded/kubernetes/patch/unsupported-patch-type.ts';
import type { JsonObject } from '../../../../infra/embedded/kubernetes/schema/schema.ts';

describe('a merge patch', () => {
  test('merges members, replaces lists, and takes away what it says is null', () => {
    const before: JsonObject = { a: { b: 1, c: 2 }, list: [1, 2], gone: 'x', kept: true };

    const patched = applyMergePatch(before, { a: { c: 3, d: null, e: { f: null, g: 1 } }, list: [3], gone: null });

    expect(patched).toEqual({ a: { b: 1, c: 3, e: { g: 1 } }, list: [3], kept: true });
    expect(before).toEqual({ a: { b: 1, c: 2 }, list: [1, 2], gone: 'x', kept: true });
  });

  test('shares what it does not touch', () => {
    const untouched = { deep: { deeper: 1 } };

    const patched = applyMergePatch({ untouched, a: 1 }, { a: 2 });

    expect(patched['untouched']).toBe(untouched);
  });

  test('drops null members of objects in a list, unless the list replaces an object', () => {
    const patched = applyMergePatch(
      { scalar: 1, object: {} },
      { scalar: [{ a: null, b: 1 }], fresh: [{ a: null }], object: [{ a: null }] },
    );

    expect(patched).toEqual({ scalar: [{ b: 1 }], fresh: [{}], object: [{ a: null }] });
  });

  test('makes a plain member of the name __proto__', () => {
    const patch = JSON.parse('{"__proto__": {"polluted": true}}') as unknown;

    const patched = applyMergePatch({}, patch);

    expect(Object.getPrototypeOf(patched)).toBe(Object.prototype);
    expect(Object.keys(patched)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test.each([
    ['array', []],
    ['string', 'x'],
    ['number', 3],
    ['bool', true],
  ])('that is a JSON %s is a bad request', (kind, body) => {
    const text = `error decoding patch: json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`;

    expect(() => applyMergePatch({}, body)).toThrow(text);
  });

  test('that is null is a bad request', () => {
    expect(() => applyMergePatch({}, null)).toThrow('Invalid JSON Patch');
  });
});

describe('a patch of a type that the kind does not take', () => {
  test('is answered with the types that custom resources take', () => {
    expect(unsupportedPatchType(true).status).toMatchObject({
      code: 415,
      reason: 'UnsupportedMediaType',
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    });
  });

  test('is answered shortly for a built-in kind', () => {
    expect(unsupportedPatchType(false).status).toMatchObject({
      code: 415,
      reason: 'UnsupportedMediaType',
      message: '415: Unsupported Media Type',
    });
  });
});
