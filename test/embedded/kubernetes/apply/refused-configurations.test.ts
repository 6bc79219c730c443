import { describe, expect, test } from 'vitest';
import type { ApiObject } from '../../../../infra/embedded/kubernetes/api-object.ts';
import { applyConfiguration } from '../../../../infra/embedded/kubernetes/apply/apply-configuration.ts';
import { StatusError } from '../../../../infra/embedded/kubernetes/status-error.ts';
import { tracking, widget } from './widget.ts';

function refusal(applied: ApiObject): { code: number; message: string | undefined } {
  try {
    applyConfiguration({ ...tracking, manager: 'a', force: false, live: undefined, applied });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { code: error.status.code, message: error.status.message };
  }
  throw new Error('nothing was refused');
}

const untyped = 'failed to create typed patch object (/w; test.dev/v1, Kind=Widget): ';

describe('a configuration that does not fit the schema', () => {
  test.each([
    ['an unknown field', { bogus: 1 }, '.spec.bogus: field not declared in schema'],
    ['a string for a number', { size: '1' }, '.spec.size: expected numeric (int or float), got string'],
    ['a number for a string', { color: 4 }, '.spec.color: expected string, got &value.valueUnstructured{Value:4}'],
    ['a number for a boolean', { flag: 3 }, '.spec.flag: expected boolean, got &{3}'],
    ['a string for a list', { tags: 'x' }, '.spec.tags: expected list, got &{x}'],
    ['a list for a map', { labels: [1] }, '.spec.labels: expected map, got &{[1]}'],
    [
      'a scalar in a list of type map',
      { ports: [1] },
      '.spec.ports: element 0: associative list with keys may not have non-map elements',
    ],
    [
      'null in a list of type map',
      { ports: [null] },
      '.spec.ports: element 0: associative list with keys may not have a null element',
    ],
    [
      'null in a set',
      { tags: [null] },
      ".spec.tags: element 0: associative list without keys has an element that's an explicit null",
    ],
    ['an item of a set twice', { tags: ['a', 'a'] }, '.spec.tags: duplicate entries for key [="a"]'],
    [
      'an item of a list of type map twice, once by its default',
      { ports: [{ port: 1 }, { port: 1, protocol: 'TCP' }] },
      '.spec.ports: duplicate entries for key [port=1,protocol="TCP"]',
    ],
  ])('with %s is refused in the words of the real server', (_name, spec, text) => {
    expect(refusal(widget(spec))).toEqual({ code: 500, message: untyped + text });
  });

  test('without the keys of an item is refused', () => {
    expect(refusal({ ...widget({}), status: { conditions: [{ status: 'x' }] } }).message).toBe(
      `${untyped}.status.conditions: element 0: associative list with keys has an element that omits all key fields ["type"] (and doesn't have default values for any key fields)`,
    );
  });

  test('in several ways is told all of them', () => {
    expect(refusal(widget({ color: 4, size: '1' })).message).toBe(
      `${untyped}errors:\n  .spec.color: expected string, got &value.valueUnstructured{Value:4}\n  .spec.size: expected numeric (int or float), got string`,
    );
  });
});

describe('a configuration that may not be applied', () => {
  test('must leave managedFields alone', () => {
    expect(refusal(widget({}, { managedFields: [] }))).toEqual({
      code: 400,
      message: 'metadata.managedFields must be nil',
    });
  });

  test('must be of the version it is sent to', () => {
    expect(refusal({ ...widget({}), apiVersion: 'test.dev/v2' })).toEqual({
      code: 400,
      message:
        'Incorrect version specified in apply patch. Specified patch version: test.dev/v2, expected: test.dev/v1',
    });
  });
});
