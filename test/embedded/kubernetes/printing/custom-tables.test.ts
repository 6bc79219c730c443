import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../infra/embedded/kubernetes/api-object.ts';
import type { PrinterColumn, ServedKind } from '../../../../infra/embedded/kubernetes/kinds/served-kind.ts';
import { printTable, type TableRequest } from '../../../../infra/embedded/kubernetes/printing/print-table.ts';
import { aKind } from '../../../support/fake-internal-api.ts';

const now = Date.parse('2026-11-16T12:00:00Z');

function custom(columns: readonly PrinterColumn[]): ServedKind {
  return { ...aKind('example.com/v1', 'Thing', 'things'), isCustom: true, columns };
}

function aThing(spec: object): ApiObject {
  const metadata = { name: 'one', resourceVersion: '7', creationTimestamp: '2026-11-16T11:58:00Z' };
  return { apiVersion: 'example.com/v1', kind: 'Thing', metadata, spec };
}

function cell(type: string, value: unknown): unknown {
  const kind = custom([{ name: 'It', type, jsonPath: '.spec.it' }]);
  const objects = [aThing(value === undefined ? {} : { it: value })];
  return printTable({ kind, objects, includeObject: 'None', now }).rows?.[0]?.cells[1];
}

const cells: Record<string, [type: string, value: unknown, cell: unknown]> = {
  'a text': ['string', 'words', 'words'],
  'a number in a column of texts': ['string', 1.75, '1.75'],
  'a truth in a column of texts': ['string', true, 'true'],
  'an object in a column of texts': [
    'string',
    { b: 1, a: ['x', 2], h: '<&>' },
    '{"a":["x",2],"b":1,"h":"\\u003c\\u0026\\u003e"}',
  ],
  'null in a column of texts': ['string', null, '<no value>'],
  'null in another column': ['integer', null, null],
  'nothing at all': ['string', undefined, null],
  'a whole number': ['integer', 42, 42],
  'a fraction in a column of whole numbers': ['integer', 1.75, 1],
  'a text in a column of whole numbers': ['integer', '42', null],
  'a truth': ['boolean', false, false],
  'a text in a column of truths': ['boolean', 'true', null],
  'a date': ['date', '2026-11-14T11:00:00Z', '2d1h'],
  'a date that is none': ['date', 'soon', '<invalid>'],
};

describe('the table of a custom kind', () => {
  it.each(Object.entries(cells))('shows %s', (_what, [type, value, shown]) => {
    expect(cell(type, value)).toEqual(shown);
  });

  it('shows name and age when the definition names no columns', () => {
    const { columnDefinitions, rows } = printTable({
      kind: custom([]),
      objects: [aThing({})],
      includeObject: 'None',
      now,
    });

    expect(columnDefinitions?.map(({ name, type, format }) => [name, type, format])).toEqual([
      ['Name', 'string', 'name'],
      ['Age', 'date', ''],
    ]);
    expect(rows?.[0]?.cells).toEqual(['one', '2m']);
  });

  it('says what the definition says of its columns', () => {
    const columns = [
      { name: 'A', type: 'string', jsonPath: '.spec.a', priority: 1, description: 'About a', format: 'password' },
      { name: 'B', type: 'string', jsonPath: '.spec.b' },
    ];

    const { columnDefinitions } = printTable({ kind: custom(columns), objects: [], includeObject: 'None', now });

    expect(columnDefinitions?.slice(1)).toEqual([
      { name: 'A', type: 'string', format: 'password', description: 'About a', priority: 1 },
      {
        name: 'B',
        type: 'string',
        format: '',
        description: 'Custom resource definition column (in JSONPath format): .spec.b',
        priority: 0,
      },
    ]);
  });

  it('ends before a column that cannot be read', () => {
    const columns = ['.spec.a', 'spec', '.spec.b'].map((jsonPath) => ({ name: jsonPath, type: 'string', jsonPath }));

    const { columnDefinitions } = printTable({ kind: custom(columns), objects: [], includeObject: 'None', now });

    expect(columnDefinitions?.map(({ name }) => name)).toEqual(['Name', '.spec.a']);
  });

  const thing = aThing({ a: 1 });
  const included: Record<TableRequest['includeObject'], unknown> = {
    None: null,
    Metadata: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: thing.metadata },
    Object: thing,
  };

  it.each(Object.entries(included))('carries what is asked for with each row: %s', (includeObject, object) => {
    const asked = includeObject as TableRequest['includeObject'];

    const { rows } = printTable({ kind: custom([]), objects: [thing], includeObject: asked, now });

    expect(rows?.[0]?.object).toEqual(object);
  });

  it('has the version of the list, or of the one object', () => {
    const kind = custom([]);
    const listMeta = { resourceVersion: '99', continue: 'more', remainingItemCount: 3 };

    expect(printTable({ kind, objects: [thing], listMeta, includeObject: 'None', now }).metadata).toEqual(listMeta);
    expect(printTable({ kind, objects: [thing], includeObject: 'None', now }).metadata).toEqual({
      resourceVersion: '7',
    });
  });

  it('leaves the columns out when they are known, and shows a bookmark as a row of nothing', () => {
    const bookmark: ApiObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { resourceVersion: '218' } };
    const kind = aKind('v1', 'Namespace', 'namespaces', false);

    const table = printTable({ kind, objects: [bookmark], includeObject: 'Metadata', now, noHeaders: true });

    expect(table.columnDefinitions).toBeNull();
    expect(table.rows?.[0]?.cells).toEqual(['', '', '<unknown>']);
  });
});
