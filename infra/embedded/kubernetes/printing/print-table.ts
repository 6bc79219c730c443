import type { ApiObject } from '../api-object.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import { type ColumnDefinition, columnDefinition } from './column-definition.ts';
import { coreRows } from './core-rows.ts';
import { customColumns } from './custom-cells.ts';
import { podRowConditions } from './pod-row.ts';
import { policyRows } from './policy-rows.ts';
import type { RowPrinter } from './row-printer.ts';
import { scaleRow, workloadRows } from './workload-rows.ts';

export interface TableRequest {
  readonly kind: ServedKind;
  readonly objects: readonly ApiObject[];
  /** Absent for a single object, whose own version the table then carries. */
  readonly listMeta?: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly includeObject: 'None' | 'Metadata' | 'Object';
  readonly now: number;
  /** From the second event of a watch on: its rows only, for the columns are known. */
  readonly noHeaders?: boolean;
}

export interface Table {
  readonly kind: 'Table';
  readonly apiVersion: 'meta.k8s.io/v1';
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly columnDefinitions: readonly ColumnDefinition[] | null;
  readonly rows: readonly TableRow[] | null;
}

interface TableRow {
  readonly cells: readonly unknown[];
  readonly conditions?: readonly unknown[];
  readonly object: unknown;
}

interface Printer {
  readonly isPlain?: boolean;
  readonly definitions: readonly ColumnDefinition[];
  cells(object: ApiObject, now: number): readonly unknown[];
}

/** Kinds without columns of their own: Roles, LimitRanges, CustomResourceDefinitions. */
const plainRow: RowPrinter = {
  columns: ['Name:string:name', 'Created At:date'],
  cells: (object) => [object.metadata.name, object.metadata.creationTimestamp ?? '0001-01-01T00:00:00Z'],
};

const builtInRows: Readonly<Record<string, RowPrinter>> = { ...coreRows, ...workloadRows, ...policyRows };

const printers = new WeakMap<ServedKind, Printer>();

function printerOf(kind: ServedKind): Printer {
  const known = printers.get(kind);
  if (known !== undefined) return known;
  const made = kind.isCustom ? customColumns(kind.columns) : builtInPrinter(kind);
  printers.set(kind, made);
  return made;
}

function builtInPrinter({ group, kind }: ServedKind): Printer {
  return rowsOf(builtInRows[`${group}/${kind}`] ?? plainRow);
}

function rowsOf(row: RowPrinter): Printer {
  return {
    isPlain: row === plainRow,
    definitions: row.columns.map(columnDefinition),
    cells: (object, now) => row.cells(object, now).map((cell) => cell ?? ''),
  };
}

/** The table that `kubectl get` asks for instead of the objects themselves. */
export function printTable({ kind, objects, listMeta, includeObject, now, noHeaders }: TableRequest): Table {
  // The scale is the one subresource that is an object of another kind than the one it belongs to.
  const printer = objects[0]?.kind === 'Scale' ? rowsOf(scaleRow) : printerOf(kind);
  const rows = objects.map((object) => ({
    cells: printer.cells(object, now),
    ...conditionsOf(kind, object),
    object: shownObject(object, includeObject),
  }));
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: listMeta === undefined ? versionOf(objects[0]) : { ...listMeta },
    columnDefinitions: noHeaders === true ? null : printer.definitions,
    // An empty list of a kind without columns of its own has no rows at all; seen on the real server.
    rows: rows.length === 0 && printer.isPlain ? null : rows,
  };
}

function versionOf(object: ApiObject | undefined): Record<string, unknown> {
  const version = object?.metadata.resourceVersion;
  return version === undefined ? {} : { resourceVersion: version };
}

function conditionsOf({ group, kind }: ServedKind, object: ApiObject): { conditions?: readonly unknown[] } {
  const conditions = group === '' && kind === 'Pod' ? podRowConditions(object) : undefined;
  return conditions === undefined ? {} : { conditions };
}

function shownObject(object: ApiObject, includeObject: TableRequest['includeObject']): unknown {
  if (includeObject === 'None') return null;
  if (includeObject === 'Object') return object;
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata };
}
