import { describe, expect, test } from 'vitest';
import { applyJsonPatch } from '../../../../infra/embedded/kubernetes/patch/apply-json-patch.ts';
import type { JsonObject } from '../../../../infra/embedded/kubernetes/schema/schema.ts';
import { StatusError } from '../../../../infra/embedded/kubernetes/status-error.ts';

function document(): JsonObject {
  return { data: { x: '1', 'a/b': { 'c~d': 1 } }, list: ['one', 'two'] };
}

function refusal(operations: unknown): { code: number; message: string | undefined; reason: string | undefined } {
  try {
    applyJsonPatch(document(), operations);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const { code, message, reason } = error.status;
    return { code, message, reason };
  }
  throw new Error('nothing was refused');
}

const rejected = {
  code: 422,
  message: 'the server rejected our request due to an error in our request',
  reason: 'Invalid',
};

describe('a JSON patch', () => {
  test('runs its operations one after the other and leaves the document as it was', () => {
    const before = document();

    const patched = applyJsonPatch(before, [
      { op: 'test', path: '/data/x', value: '1' },
      { op: 'add', path: '/data/y', value: { z: [1] } },
      { op: 'copy', from: '/data/y/z', path: '/copied' },
      { op: 'add', path: '/copied/-', value: 2 },
      { op: 'move', from: '/list/0', path: '/moved' },
      { op: 'remove', path: '/data/x' },
    ]);

    expect(patched).toEqual({
      data: { 'a/b': { 'c~d': 1 }, y: { z: [1] } },
      list: ['two'],
      copied: [1, 2],
      moved: 'one',
    });
    expect(before).toEqual(document());
  });

  test('reads escaped names', () => {
    const patched = applyJsonPatch(document(), [{ op: 'replace', path: '/data/a~1b/c~0d', value: 2 }]);

    expect(patched).toMatchObject({ data: { 'a/b': { 'c~d': 2 } } });
  });

  test('may replace a member that is not there, and copies a missing one as null', () => {
    const patched = applyJsonPatch(document(), [
      { op: 'replace', path: '/data/new', value: 1 },
      { op: 'copy', from: '/data/missing', path: '/data/copied' },
      { op: 'add', path: '/data/valueless' },
    ]);

    expect(patched).toMatchObject({ data: { new: 1, copied: null, valueless: null } });
  });

  test('counts negative indexes from the end', () => {
    const patched = applyJsonPatch(document(), [
      { op: 'add', path: '/list/-1', value: 'three' },
      { op: 'remove', path: '/list/-3' },
    ]);

    expect(patched['list']).toEqual(['two', 'three']);
  });

  test('takes null for a member that is absent when it tests', () => {
    expect(applyJsonPatch(document(), [{ op: 'test', path: '/data/absent', value: null }])).toEqual(document());
  });

  test.each([
    ['a test that fails', [{ op: 'test', path: '/data/x', value: '2' }]],
    ['the removal of what is not there', [{ op: 'remove', path: '/data/q' }]],
    ['an addition below what is not there', [{ op: 'add', path: '/foo/q/r', value: 1 }]],
    ['an addition below a string', [{ op: 'add', path: '/data/x/y', value: 1 }]],
    ['a move from nowhere', [{ op: 'move', from: '/data/q', path: '/data/r' }]],
    ['a move into itself', [{ op: 'move', from: '/data', path: '/data/x' }]],
    ['a copy from nowhere', [{ op: 'copy', from: '/foo/q', path: '/data/r' }]],
    ['an index past the end', [{ op: 'add', path: '/list/5', value: 1 }]],
    ['an index before the start', [{ op: 'add', path: '/list/-4', value: 1 }]],
    ['a replacement past the end', [{ op: 'replace', path: '/list/2', value: 1 }]],
    ['an index that is no number', [{ op: 'add', path: '/list/x', value: 1 }]],
    ['the removal of the item after the last', [{ op: 'remove', path: '/list/-' }]],
    ['an operation without a name', [{ path: '/data/q', value: 1 }]],
    ['an unknown operation', [{ op: 'bogus', path: '/data/q', value: 1 }]],
    ['an operation without a path', [{ op: 'add', value: 1 }]],
    ['an addition of the whole document', [{ op: 'add', path: '', value: {} }]],
    ['an addition to a prototype', [{ op: 'add', path: '/__proto__/x', value: 1 }]],
    ['an addition to the prototype of a constructor', [{ op: 'add', path: '/constructor/prototype/x', value: 1 }]],
  ])('%s is rejected in the words of the real server', (_name, operations) => {
    expect(refusal(operations)).toEqual(rejected);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  test.each([
    ['an object', { op: 'add' }, 'json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
    ['a string', 'x', 'json: cannot unmarshal string into Go value of type []handlers.jsonPatchOp'],
    ['a list of numbers', [1], 'json: cannot unmarshal number into Go value of type handlers.jsonPatchOp'],
    [
      'a name that is a number',
      [{ op: 3, path: '/data' }],
      'json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string',
    ],
    [
      'a path that is a number',
      [{ op: 'add', path: 3 }],
      'json: cannot unmarshal number into Go struct field jsonPatchOp.path of type string',
    ],
  ])('%s as its body is a bad request', (_name, operations, text) => {
    expect(refusal(operations)).toEqual({
      code: 400,
      message: `error decoding patch: ${text}`,
      reason: 'BadRequest',
    });
  });

  test('has at most 10000 operations', () => {
    const operation = { op: 'test', path: '/data/x', value: '1' };

    expect(applyJsonPatch(document(), Array(10_000).fill(operation))).toEqual(document());
    expect(refusal(Array(10_001).fill(operation))).toEqual({
      code: 413,
      message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
      reason: 'RequestEntityTooLarge',
    });
  });

  test('of no operations changes nothing', () => {
    const before = document();

    expect(applyJsonPatch(before, [])).toBe(before);
    expect(applyJsonPatch(before, null)).toBe(before);
  });
});
