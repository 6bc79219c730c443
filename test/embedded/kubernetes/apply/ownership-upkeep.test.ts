import { describe, expect, test } from 'vitest';
import type { ApiObject } from '../../../../infra/embedded/kubernetes/api-object.ts';
import { managerName } from '../../../../infra/embedded/kubernetes/apply/manager-name.ts';
import { resetFieldsOf } from '../../../../infra/embedded/kubernetes/apply/reset-fields-of.ts';
import { settleTimestamps } from '../../../../infra/embedded/kubernetes/apply/settle-timestamps.ts';
import { created, later, noon, shortly, updated, widget } from './widget.ts';

describe('scaling an object', () => {
  const live = created('maker', widget({ replicas: 2, size: 1 }));
  const scale = { manager: 'scaler', subresource: 'scale', schema: undefined };
  const rest = ['maker', 'Update', { 'f:spec': { '.': {}, 'f:size': {} } }];

  test('makes the scaler the owner of the replicas, at no time', () => {
    const next = updated(live, widget({ replicas: 5, size: 1 }), scale);

    expect(shortly(next.metadata.managedFields)).toEqual([
      ['scaler', 'Update scale', { 'f:spec': { 'f:replicas': {} } }],
      rest,
    ]);
    expect(next.metadata.managedFields?.[0]).not.toHaveProperty('time');
  });

  test('to zero leaves the replicas without an owner', () => {
    const next = updated(live, widget({ replicas: 0, size: 1 }), scale);

    expect(shortly(next.metadata.managedFields)).toEqual([rest]);
  });

  test('changes no owner when nobody owns the replicas', () => {
    const unowned = updated(live, widget({ replicas: 0, size: 1 }), scale);

    const next = updated(unowned, widget({ replicas: 3, size: 1 }), scale);

    expect(next.metadata.managedFields).toEqual(unowned.metadata.managedFields);
  });
});

describe('an object with many writers', () => {
  test('remembers ten of them and joins the oldest', () => {
    let live = created('w0', widget({ labels: { l0: '' } }));
    for (let writer = 1; writer <= 11; writer += 1) {
      const labels = Object.fromEntries(Array.from({ length: writer + 1 }, (_, i) => [`l${i}`, '']));
      const time = `2026-11-16T12:00:${String(10 + writer)}Z`;
      live = updated(live, widget({ labels }), { manager: `w${writer}`, time });
    }

    const entries = live.metadata.managedFields ?? [];

    expect(entries.map(({ manager }) => manager)).toEqual([
      'ancient-changes',
      'w3',
      'w4',
      'w5',
      'w6',
      'w7',
      'w8',
      'w9',
      'w10',
      'w11',
    ]);
    expect(entries[0]).toMatchObject({
      time: '2026-11-16T12:00:12Z',
      fieldsV1: { 'f:spec': { '.': {}, 'f:labels': { '.': {}, 'f:l0': {}, 'f:l1': {}, 'f:l2': {} } } },
    });
  });
});

describe('a write that changes times only', () => {
  function at(object: ApiObject, time: string): ApiObject {
    const managedFields = (object.metadata.managedFields ?? []).map((entry) => ({ ...entry, time }));
    return { ...object, metadata: { ...object.metadata, managedFields } };
  }
  const live = created('maker', widget({ size: 1 }));

  test('keeps the times that were there', () => {
    const next = structuredClone(at(live, later));

    expect(settleTimestamps(live, next)).toEqual(live);
    expect(next.metadata.managedFields?.[0]?.time).toBe(later);
  });

  test('keeps its own times when anything else changed', () => {
    const next = at({ ...live, spec: { size: 2 } }, later);

    expect(settleTimestamps(live, next)).toBe(next);
    expect(live.metadata.managedFields?.[0]?.time).toBe(noon);
  });
});

describe('the name of a writer', () => {
  test.each([
    ['what the request says', 'me', 'kubectl/v1.36.3 (linux)', 'me'],
    ['the product of the user agent', undefined, 'kubectl/v1.36.3 (linux)', 'kubectl'],
    ['empty when there is neither', '', undefined, ''],
    ['without signs that cannot be printed', undefined, 'a\u0001b\tc/1', 'abc'],
    ['cut to 128 bytes', undefined, 'é'.repeat(100), 'é'.repeat(64)],
  ])('is %s', (_name, fieldManager, userAgent, expected) => {
    expect(managerName(fieldManager, userAgent)).toBe(expected);
  });
});

describe('the fields that an endpoint puts back', () => {
  test.each([
    ['the status on the main endpoint', { kind: 'Widget', builtIn: false, hasStatus: true }, [['status']]],
    ['nothing on a kind without status', { kind: 'ConfigMap', builtIn: true, hasStatus: false }, []],
    [
      'all but the status on the status of a custom resource',
      { kind: 'Widget', builtIn: false, hasStatus: true, subresource: 'status' },
      [['metadata'], ['spec']],
    ],
    [
      'the spec on the status of a built-in kind',
      { kind: 'Service', builtIn: true, hasStatus: true, subresource: 'status' },
      [['spec']],
    ],
    [
      'the labels too on the status of a Deployment',
      { kind: 'Deployment', builtIn: true, hasStatus: true, subresource: 'status' },
      [['spec'], ['metadata', 'labels']],
    ],
    ['nothing on a scale', { kind: 'Deployment', builtIn: true, hasStatus: true, subresource: 'scale' }, []],
  ])('are %s', (_name, endpoint, expected) => {
    expect(resetFieldsOf(endpoint)).toEqual(expected);
  });
});
