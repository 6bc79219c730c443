import { describe, expect, test } from 'vitest';
import type { ApiObject } from '../../../../infra/embedded/kubernetes/api-object.ts';
import {
  type ApplyConfiguration,
  applyConfiguration,
} from '../../../../infra/embedded/kubernetes/apply/apply-configuration.ts';
import { resetFieldsOf } from '../../../../infra/embedded/kubernetes/apply/reset-fields-of.ts';
import { StatusError } from '../../../../infra/embedded/kubernetes/status-error.ts';
import { created, later, shortly, tracking, updated, widget } from './widget.ts';

function apply(
  manager: string,
  live: ApiObject | undefined,
  applied: ApiObject,
  change: Partial<ApplyConfiguration> = {},
): ApiObject {
  return applyConfiguration({ ...tracking, time: later, force: false, manager, live, applied, ...change }).object;
}

function refusal(run: () => unknown): StatusError['status'] {
  try {
    run();
  } catch (error) {
    if (error instanceof StatusError) return error.status;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('applying a configuration', () => {
  test('creates the object and owns exactly what it states', () => {
    const object = apply('a', undefined, widget({ size: 1, tags: ['t'], labels: { l: 'm' }, nested: {} }));

    expect(object['spec']).toEqual({ size: 1, tags: ['t'], labels: { l: 'm' }, nested: {} });
    expect(shortly(object.metadata.managedFields)).toEqual([
      [
        'a',
        'Apply',
        'later',
        { 'f:spec': { 'f:labels': { 'f:l': {} }, 'f:nested': {}, 'f:size': {}, 'f:tags': { 'v:"t"': {} } } },
      ],
    ]);
  });

  test('again changes nothing and gives the live object back', () => {
    const applied = widget({ size: 1, ports: [{ port: 80 }] });
    const live = apply('a', undefined, applied);

    const outcome = applyConfiguration({ ...tracking, manager: 'a', force: false, live, applied });

    expect(outcome).toEqual({ object: live, changed: false });
    expect(outcome.object).toBe(live);
  });

  test('merges lists item by item and keeps the order of what was there', () => {
    const live = created(
      'maker',
      widget({ tags: ['a', 'b', 'c'], ports: [{ port: 1, protocol: 'TCP' }, { port: 2 }] }),
    );

    const object = apply('a', live, widget({ tags: ['c', 'z', 'a'], ports: [{ port: 1, name: 'one' }, { port: 3 }] }));

    expect(object['spec']).toEqual({
      tags: ['b', 'c', 'z', 'a'],
      ports: [{ port: 1, protocol: 'TCP', name: 'one' }, { port: 2 }, { port: 3 }],
    });
  });

  test('takes away what the manager applied before and nobody owns now', () => {
    const live = apply(
      'a',
      undefined,
      widget({ size: 1, tags: ['x', 'y'], ports: [{ port: 80 }], nested: { x: '1' } }),
    );
    const shared = apply('b', live, widget({ tags: ['x'], nested: { x: '1' } }));

    const object = apply('a', shared, widget({ size: 1 }));

    expect(object['spec']).toEqual({ size: 1, tags: ['x'], nested: { x: '1' } });
  });

  test('gives an item up with all that others wrote into it', () => {
    const live = apply('a', undefined, widget({ ports: [{ port: 80 }, { port: 81 }] }));
    const named = updated(live, { ...live, spec: { ports: [{ port: 80, name: 'by hand' }, { port: 81 }] } });

    const object = apply('a', named, widget({ ports: [{ port: 81 }] }));

    expect(object['spec']).toEqual({ ports: [{ port: 81 }] });
  });

  test('leaves null where others own something in a list that becomes empty', () => {
    const live = apply('a', undefined, widget({ size: 1, ports: [{ port: 80 }] }));
    const named = updated(live, { ...live, spec: { size: 1, ports: [{ port: 80, name: 'by hand' }] } });

    const object = apply('a', named, widget({ size: 1 }));

    expect(object['spec']).toEqual({ size: 1, ports: null });
  });

  test('shares what it applies with the same value, at no time of its own', () => {
    const live = created('maker', widget({ size: 1 }));

    const object = apply('a', live, widget({ size: 1 }));

    expect(shortly(object.metadata.managedFields)).toEqual([
      ['a', 'Apply', { 'f:spec': { 'f:size': {} } }],
      ['maker', 'Update', { 'f:spec': { '.': {}, 'f:size': {} } }],
    ]);
    expect(object.metadata.managedFields?.[0]).not.toHaveProperty('time');
  });

  test('makes whoever wrote before the first apply known', () => {
    const live = widget({ size: 1 }, { uid: 'u' });

    const object = apply('a', live, widget({ size: 2 }), { force: true });

    expect(shortly(object.metadata.managedFields)).toEqual([
      ['a', 'Apply', 'later', { 'f:spec': { 'f:size': {} } }],
      ['before-first-apply', 'Update', 'later', { 'f:spec': {} }],
    ]);
  });

  test('to the status owns the status alone', () => {
    const live = apply('a', undefined, widget({ size: 1 }));
    const resetFields = resetFieldsOf({ kind: 'Widget', builtIn: false, hasStatus: true, subresource: 'status' });

    const object = apply(
      'a',
      live,
      { ...widget({ size: 9 }, { labels: { a: 'b' } }), status: { phase: 'Ready' } },
      { subresource: 'status', resetFields },
    );

    expect(shortly(object.metadata.managedFields)).toEqual([
      ['a', 'Apply', 'later', { 'f:spec': { 'f:size': {} } }],
      ['a', 'Apply status', 'later', { 'f:status': { 'f:phase': {} } }],
    ]);
  });

  test('changes neither object', () => {
    const live = apply('a', undefined, widget({ size: 1, tags: ['a'] }));
    const applied = widget({ tags: ['b'] });
    const before = structuredClone({ live, applied });

    apply('a', live, applied);

    expect({ live, applied }).toEqual(before);
  });
});

describe('an apply that would change what others own', () => {
  const live = created('maker', widget({ size: 1, ports: [{ port: 80, name: 'n' }], any: { p: 1 } }));

  test('is a conflict that names the owner and the field', () => {
    const status = refusal(() => apply('a', live, widget({ size: 2 })));

    expect(status).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Apply failed with 1 conflict: conflict with "maker" using test.dev/v1: .spec.size',
      reason: 'Conflict',
      details: {
        causes: [
          { reason: 'FieldManagerConflict', message: 'conflict with "maker" using test.dev/v1', field: '.spec.size' },
        ],
      },
      code: 409,
    });
  });

  test('lists several conflicts under their owners', () => {
    const shared = apply('b', live, widget({ size: 1 }));

    const status = refusal(() =>
      apply('a', shared, widget({ size: 2, ports: [{ port: 80, name: 'm' }], any: { p: 2 } })),
    );

    expect(status.message).toBe(
      [
        'Apply failed with 4 conflicts: conflicts with "b":',
        '- .spec.size',
        'conflicts with "maker" using test.dev/v1:',
        '- .spec.size',
        '- .spec.any.p',
        '- .spec.ports[port=80,protocol="TCP"].name',
      ].join('\n'),
    );
  });

  test('takes the fields over when it is forced', () => {
    const object = apply('a', live, widget({ size: 2 }), { force: true });

    expect(object['spec']).toMatchObject({ size: 2 });
    expect(shortly(object.metadata.managedFields)[0]).toEqual(['a', 'Apply', 'later', { 'f:spec': { 'f:size': {} } }]);
    expect(JSON.stringify(object.metadata.managedFields?.[1])).not.toContain('f:size');
  });
});

describe('kubectl apply --server-side after kubectl apply', () => {
  const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
  const last = JSON.stringify(widget({ size: 1 }));
  const live = created(
    'kubectl-client-side-apply',
    widget({ size: 1, color: 'red' }, { annotations: { [annotation]: last } }),
  );

  test('takes over what kubectl applied, without a conflict, and keeps the annotation in step', () => {
    const object = apply('kubectl', live, widget({ size: 2 }));

    expect(object['spec']).toEqual({ size: 2, color: 'red' });
    expect(object.metadata.annotations?.[annotation]).toBe(
      '{"apiVersion":"test.dev/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"size":2}}\n',
    );
  });

  test('conflicts over what kubectl did not apply', () => {
    const status = refusal(() => apply('kubectl', live, widget({ size: 2, color: 'blue' })));

    expect(status.message).toBe(
      'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using test.dev/v1: .spec.color',
    );
  });

  test('conflicts as anybody does under another name', () => {
    expect(refusal(() => apply('other', live, widget({ size: 2 }))).code).toBe(409);
  });
});
