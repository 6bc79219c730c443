import { describe, expect, test } from 'vitest';
import type { ManagedFieldsEntry } from '../../../../infra/embedded/kubernetes/api-object.ts';
import { trackUpdate } from '../../../../infra/embedded/kubernetes/apply/track-update.ts';
import { created, noon, shortly, tracking, updated, widget } from './widget.ts';

describe('managedFields in a request', () => {
  function edited(managedFields: ManagedFieldsEntry[], change: Parameters<typeof updated>[2] = {}): unknown[] {
    const live = created('maker', widget({ size: 1, color: 'red' }));
    return shortly(updated(live, widget({ size: 1, color: 'red' }, { managedFields }), change).metadata.managedFields);
  }
  const owned = ['maker', 'Update', { 'f:spec': { '.': {}, 'f:color': {}, 'f:size': {} } }];
  const entry: ManagedFieldsEntry = {
    manager: 'other',
    operation: 'Apply',
    apiVersion: 'test.dev/v1',
    time: noon,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': { 'f:size': {}, 'f:color': {}, 'x:ignored': {} } },
  };

  test('replace those of the object, in canonical form', () => {
    expect(edited([entry])).toEqual([['other', 'Apply', { 'f:spec': { 'f:color': {}, 'f:size': {} } }]]);
  });

  test('are not looked at on a subresource', () => {
    expect(edited([entry], { subresource: 'status', resetFields: [['metadata'], ['spec']] })).toEqual([owned]);
  });

  test('are not looked at when they cannot be read', () => {
    expect(edited([{ ...entry, operation: 'Bogus' as 'Apply' }])).toEqual([owned]);
    expect(edited([{ ...entry, fieldsV1: { nonsense: {} } }])).toEqual([owned]);
    expect(edited([{ ...entry, apiVersion: '' }])).toEqual([owned]);
  });

  test('end the tracking with one empty entry, and on a built-in kind with none', () => {
    expect(edited([{} as ManagedFieldsEntry])).toEqual([]);
    expect(edited([], { builtIn: true })).toEqual([]);
    expect(edited([])).toEqual([owned]);
  });

  test('that ended stay away until the next apply', () => {
    const live = { ...widget({ size: 1 }), metadata: { name: 'w', uid: 'u' } };

    expect(trackUpdate({ ...tracking, manager: 'editor', live, next: widget({ size: 2 }) })).toBeUndefined();
  });
});
