import { describe, expect, test } from 'vitest';
import { resetFieldsOf } from '../../../../infra/embedded/kubernetes/apply/reset-fields-of.ts';
import { trackUpdate } from '../../../../infra/embedded/kubernetes/apply/track-update.ts';
import type { Schema } from '../../../../infra/embedded/kubernetes/schema/schema.ts';
import { created, later, noon, shortly, tracking, updated, widget } from './widget.ts';

describe('creating an object', () => {
  test('makes the creator the owner of every field but the identity of the object', () => {
    const object = created(
      'maker',
      widget(
        {
          size: 1,
          atoms: ['x'],
          tags: ['b', 'a<'],
          ports: [
            { port: 443, protocol: 'TCP' },
            { port: 80, name: 'n' },
          ],
          labels: { l: 'm' },
          whole: { a: '1' },
          any: { list: [1], map: { n: 1 } },
          nested: {},
        },
        { labels: { a: 'b' }, finalizers: ['t.dev/f'], uid: 'u', generation: 1, creationTimestamp: noon },
      ),
    );

    expect(JSON.stringify(object.metadata.managedFields)).toBe(
      JSON.stringify([
        {
          manager: 'maker',
          operation: 'Update',
          apiVersion: 'test.dev/v1',
          time: noon,
          fieldsType: 'FieldsV1',
          fieldsV1: {
            'f:metadata': {
              'f:finalizers': { '.': {}, 'v:"t.dev/f"': {} },
              'f:labels': { '.': {}, 'f:a': {} },
            },
            'f:spec': {
              '.': {},
              'f:any': { '.': {}, 'f:list': {}, 'f:map': { '.': {}, 'f:n': {} } },
              'f:atoms': {},
              'f:labels': { '.': {}, 'f:l': {} },
              'f:nested': {},
              'f:ports': {
                '.': {},
                'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:name': {}, 'f:port': {} },
                'k:{"port":443,"protocol":"TCP"}': { '.': {}, 'f:port': {}, 'f:protocol': {} },
              },
              'f:size': {},
              'f:tags': { '.': {}, 'v:"a\\u003c"': {}, 'v:"b"': {} },
              'f:whole': {},
            },
          },
        },
      ]),
    );
  });

  test('gives nobody the status where the status is an endpoint of its own', () => {
    const object = created('maker', { ...widget({ size: 1 }), status: { phase: 'x' } });

    expect(shortly(object.metadata.managedFields)).toEqual([
      ['maker', 'Update', { 'f:spec': { '.': {}, 'f:size': {} } }],
    ]);
  });

  test('of a built-in kind gives nobody the parts that are always there', () => {
    const schema: Schema = {
      type: 'object',
      properties: {
        spec: {
          default: {},
          type: 'object',
          required: ['rules', 'kind'],
          properties: {
            rules: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
            kind: { type: 'string', default: '' },
            limit: { type: 'integer' },
          },
        },
      },
    };

    const entries = trackUpdate({
      ...tracking,
      manager: '',
      live: undefined,
      next: widget({ rules: ['r'], kind: '', limit: 1 }),
      schema,
      builtIn: true,
    });

    expect(shortly(entries)).toEqual([
      ['unknown', 'Update', { 'f:spec': { 'f:limit': {}, 'f:rules': { 'v:"r"': {} } } }],
    ]);
  });
});

describe('updating an object', () => {
  test('moves what changed to the writer, and what went from everybody', () => {
    const live = created('maker', widget({ size: 1, color: 'red', tags: ['a', 'b'], labels: { l: '1' } }));

    const next = updated(live, widget({ size: 2, tags: ['b', 'c'], labels: { l: '1', m: '2' } }));

    expect(shortly(next.metadata.managedFields)).toEqual([
      [
        'maker',
        'Update',
        { 'f:spec': { '.': {}, 'f:labels': { '.': {}, 'f:l': {} }, 'f:tags': { '.': {}, 'v:"b"': {} } } },
      ],
      [
        'editor',
        'Update',
        'later',
        { 'f:spec': { 'f:labels': { 'f:m': {} }, 'f:size': {}, 'f:tags': { 'v:"c"': {} } } },
      ],
    ]);
  });

  test('joins what a writer owned before with what it owns now', () => {
    const live = created('editor', widget({ size: 1 }));

    const next = updated(live, widget({ size: 1, color: 'red' }));

    expect(shortly(next.metadata.managedFields)).toEqual([
      ['editor', 'Update', 'later', { 'f:spec': { '.': {}, 'f:color': {}, 'f:size': {} } }],
    ]);
  });

  test('drops an owner of nothing, and keeps the time of one that only lost something', () => {
    const live = updated(created('maker', widget({ size: 1 })), widget({ size: 1, color: 'red' }), { time: noon });

    const next = updated(live, widget({ size: 1 }), { manager: 'third' });

    expect(shortly(next.metadata.managedFields)).toEqual([
      ['maker', 'Update', { 'f:spec': { '.': {}, 'f:size': {} } }],
    ]);
  });

  test('that changes nothing gives the entries of the live object back', () => {
    const live = created('maker', widget({ size: 1, ports: [{ port: 80 }] }));

    const entries = trackUpdate({ ...tracking, manager: 'editor', time: later, live, next: structuredClone(live) });

    expect(entries).toBe(live.metadata.managedFields);
  });

  test('does not look at the order of a list of type set or map', () => {
    const live = created('maker', widget({ tags: ['a', 'b'], ports: [{ port: 1 }, { port: 2 }] }));

    const next = updated(live, widget({ tags: ['b', 'a'], ports: [{ port: 2 }, { port: 1 }] }));

    expect(next.metadata.managedFields).toEqual(live.metadata.managedFields);
  });

  test('changes neither object', () => {
    const live = created('maker', widget({ size: 1, tags: ['a'] }));
    const before = structuredClone(live);

    const next = widget({ size: 2, tags: ['b'] });
    updated(live, next);

    expect(live).toEqual(before);
    expect(next).toEqual(widget({ size: 2, tags: ['b'] }));
  });

  test('through the status gives the writer the status alone, under an entry of its own', () => {
    const live = created('maker', widget({ size: 1 }));
    const resetFields = resetFieldsOf({ kind: 'Widget', builtIn: false, hasStatus: true, subresource: 'status' });

    const next = updated(
      live,
      { ...widget({ size: 5 }, { labels: { a: 'b' } }), status: { conditions: [{ type: 'Ready', status: 'True' }] } },
      { manager: 'maker', subresource: 'status', resetFields },
    );

    expect(shortly(next.metadata.managedFields)).toEqual([
      ['maker', 'Update', { 'f:spec': { '.': {}, 'f:size': {} } }],
      [
        'maker',
        'Update status',
        'later',
        {
          'f:status': {
            '.': {},
            'f:conditions': { '.': {}, 'k:{"type":"Ready"}': { '.': {}, 'f:status': {}, 'f:type': {} } },
          },
        },
      ],
    ]);
  });

  test('without a schema owns maps field by field and lists as a whole', () => {
    const live = created('maker', widget({ a: { b: 1 }, list: [1] }));

    const next = updated(live, widget({ a: { b: 1, c: 2 }, list: [1, 2] }), { schema: undefined });

    expect(shortly(next.metadata.managedFields).at(-1)).toEqual([
      'editor',
      'Update',
      'later',
      { 'f:spec': { 'f:a': { 'f:c': {} }, 'f:list': {} } },
    ]);
  });
});
