import { describe, expect, test } from 'vitest';
import { applyStrategicMergePatch } from '../../../../infra/embedded/kubernetes/patch/apply-strategic-merge-patch.ts';
import type { JsonObject, Schema } from '../../../../infra/embedded/kubernetes/schema/schema.ts';
import { StatusError } from '../../../../infra/embedded/kubernetes/status-error.ts';

const text: Schema = { type: 'string' };
const variable: Schema = { type: 'object', properties: { name: text, value: text } };
const container: Schema = {
  type: 'object',
  properties: {
    name: text,
    image: text,
    args: { type: 'array', items: text },
    env: {
      type: 'array',
      items: variable,
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
    },
  },
};
const schema: Schema = {
  type: 'object',
  properties: {
    finalizers: { type: 'array', items: text, 'x-kubernetes-patch-strategy': 'merge' },
    containers: {
      type: 'array',
      items: { allOf: [container] },
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
    },
    strategy: { type: 'object', 'x-kubernetes-patch-strategy': 'retainKeys', properties: { type: text } },
    labels: { type: 'object', additionalProperties: text },
  },
};

function document(): JsonObject {
  return {
    finalizers: ['a', 'b', 'c'],
    containers: [
      { name: 'x', image: 'x1', args: ['1'], env: [{ name: 'A', value: '1' }, { name: 'B' }] },
      { name: 'y', image: 'y1' },
    ],
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } },
    labels: { l: 'm' },
  };
}

function patch(body: unknown): JsonObject {
  return applyStrategicMergePatch(document(), body, schema);
}

function refusal(body: unknown): { code: number; message: string | undefined } {
  try {
    patch(body);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { code: error.status.code, message: error.status.message };
  }
  throw new Error('nothing was refused');
}

describe('a strategic merge patch', () => {
  test('merges items of a list that have the same merge key and leaves the document as it was', () => {
    const before = document();

    const patched = applyStrategicMergePatch(
      before,
      { containers: [{ name: 'x', image: 'x2', args: ['2'], env: [{ name: 'B', value: '2' }] }] },
      schema,
    );

    expect(patched['containers']).toEqual([
      {
        name: 'x',
        image: 'x2',
        args: ['2'],
        env: [
          { name: 'A', value: '1' },
          { name: 'B', value: '2' },
        ],
      },
      { name: 'y', image: 'y1' },
    ]);
    expect(before).toEqual(document());
  });

  test('puts items that are new before those that it does not speak of', () => {
    const patched = patch({ containers: [{ name: 'z', image: 'z1', command: null }] });

    expect(patched['containers']).toMatchObject([{ name: 'z', image: 'z1' }, { name: 'x' }, { name: 'y' }]);
    expect((patched['containers'] as JsonObject[])[0]).toEqual({ name: 'z', image: 'z1' });
  });

  test('takes an item out by its merge key', () => {
    const patched = patch({ containers: [{ name: 'x', $patch: 'delete' }] });

    expect(patched['containers']).toEqual([{ name: 'y', image: 'y1' }]);
  });

  test('replaces a whole list where it says so', () => {
    const patched = patch({ containers: [{ $patch: 'replace' }, { name: 'z', image: 'z1' }] });

    expect(patched['containers']).toEqual([{ name: 'z', image: 'z1' }]);
  });

  test('replaces or empties a map where it says so', () => {
    expect(patch({ labels: { $patch: 'replace', n: 'o' } })['labels']).toEqual({ n: 'o' });
    expect(patch({ labels: { $patch: 'delete' } })['labels']).toEqual({});
  });

  test('adds scalars to a merged list once, and removes them by a parallel list', () => {
    expect(patch({ finalizers: ['d', 'b'] })['finalizers']).toEqual(['d', 'a', 'b', 'c']);
    expect(patch({ '$deleteFromPrimitiveList/finalizers': ['a', 'q'] })['finalizers']).toEqual(['b', 'c']);
  });

  test('orders a list as it says, and keeps the others where they were', () => {
    expect(
      patch({ '$setElementOrder/containers': [{ name: 'z' }, { name: 'x' }], containers: [{ name: 'z' }] })[
        'containers'
      ],
    ).toMatchObject([{ name: 'z' }, { name: 'x' }, { name: 'y' }]);
    expect(patch({ '$setElementOrder/finalizers': ['c', 'a'] })['finalizers']).toEqual(['b', 'c', 'a']);
  });

  test('keeps only the members that it retains', () => {
    const patched = patch({ strategy: { $retainKeys: ['type'], type: 'Recreate' } });

    expect(patched['strategy']).toEqual({ type: 'Recreate' });
  });

  test('takes what is new as it stands, without nulls and directives', () => {
    const patched = patch({ fresh: { a: null, b: { $retainKeys: ['c'], c: 1 } }, dropped: { $patch: 'delete' } });

    expect(patched['fresh']).toEqual({ b: { c: 1 } });
    expect(patched).not.toHaveProperty('dropped');
  });

  test('that is null changes nothing', () => {
    expect(patch(null)).toEqual(document());
  });

  test.each([
    [
      'an unknown directive',
      { labels: { $patch: 'bogus' } },
      500,
      'unknown patch type: bogus in map: map[$patch:bogus]',
    ],
    [
      'a directive that is a number',
      { labels: { $patch: 3 } },
      500,
      'unknown patch type: %!s(int64=3) in map: map[$patch:3]',
    ],
    [
      'an unknown directive in a list',
      { containers: [{ name: 'x', $patch: 'bogus' }] },
      500,
      'unknown patch type: bogus in map: map[$patch:bogus name:x]',
    ],
    [
      'a merge directive in a list',
      { containers: [{ name: 'x', $patch: 'merge' }] },
      500,
      'merging lists cannot yet be specified in the patch',
    ],
    [
      'an item without its merge key',
      { containers: [{ image: 'z' }] },
      500,
      'map: map[image:z] does not contain declared merge key: name',
    ],
    [
      'a deletion without its merge key',
      { containers: [{ $patch: 'delete' }] },
      500,
      'map: map[$patch:delete] does not contain declared merge key: name',
    ],
    [
      'a scalar in a list of maps',
      { finalizers: [{}] },
      500,
      'list element types are not identical: [[a b c] [map[]]]',
    ],
    ['retained keys that are no list', { strategy: { $retainKeys: 'x' } }, 400, 'invalid patch format of retainKeys'],
    [
      'a member that is not retained',
      { strategy: { $retainKeys: ['x'], type: 'y' } },
      400,
      'invalid patch format of retainKeys',
    ],
    [
      'an order that is no list',
      { '$setElementOrder/finalizers': 'x' },
      500,
      'expected a []interface {}, but received a string',
    ],
    [
      'an order that leaves an item of the patch out',
      { '$setElementOrder/finalizers': ['a'], finalizers: ['z'] },
      500,
      "The order in patch list:\n[z]\n doesn't match $setElementOrder list:\n[a]\n",
    ],
    ['a list as its body', [], 400, 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
  ])('%s is refused in the words of the real server', (_name, body, code, message) => {
    expect(refusal(body)).toEqual({ code, message });
  });
});
