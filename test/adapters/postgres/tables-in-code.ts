import { readdir } from 'node:fs/promises';
import { is, SQL } from 'drizzle-orm';
import { getTableConfig, type IndexedColumn, PgDialect, PgTable } from 'drizzle-orm/pg-core';

const folder = new URL('../../../shared/adapters/postgres/tables/', import.meta.url);
const dialect = new PgDialect();

/** Every table that any file of the tables folder exports. */
export async function readTables(): Promise<PgTable[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ts'));
  const modules = await Promise.all(names.map((name) => import(new URL(name, folder).href) as Promise<object>));
  return modules.flatMap((module) => Object.values(module).filter((value) => is(value, PgTable)));
}

/** The statements that build these tables: first all tables, then what refers from one to another. */
export function asSql(tables: readonly PgTable[]): string {
  const configs = tables.map((table) => getTableConfig(table));
  const creations = configs.map((config) => {
    const lines = [
      ...config.columns.map(columnAsSql),
      ...config.primaryKeys.map((key) => `primary key (${key.columns.map(quoted).join(', ')})`),
      ...config.uniqueConstraints.map((key) => `constraint ${key.name} unique (${key.columns.map(quoted).join(', ')})`),
      ...config.checks.map(({ name, value }) => `constraint ${name} check (${render(value)})`),
    ];
    return `create table ${config.name} (\n${lines.join(',\n')}\n);`;
  });
  const indexes = configs.flatMap((config) =>
    config.indexes.map(({ config: { name, unique, columns, where, method } }) => {
      const list = columns.map((column) => (is(column, SQL) ? render(column) : orderedColumn(column as IndexedColumn)));
      const condition = where === undefined ? '' : ` where ${render(where)}`;
      return `create ${unique ? 'unique ' : ''}index ${name} on ${config.name} using ${method ?? 'btree'} (${list.join(', ')})${condition};`;
    }),
  );
  const references = configs.flatMap((config) =>
    config.foreignKeys.map((key) => {
      const { columns, foreignTable, foreignColumns } = key.reference();
      const actions = `on delete ${key.onDelete ?? 'no action'} on update ${key.onUpdate ?? 'no action'}`;
      return (
        `alter table ${config.name} add foreign key (${columns.map(quoted).join(', ')}) ` +
        `references ${getTableConfig(foreignTable).name} (${foreignColumns.map(quoted).join(', ')}) ${actions};`
      );
    }),
  );
  return [...creations, ...indexes, ...references].join('\n');
}

type Column = ReturnType<typeof getTableConfig>['columns'][number];

function columnAsSql(column: Column): string {
  const { generatedIdentity: identity, default: value } = column;
  return [
    quoted(column),
    column.getSQLType(),
    column.primary ? 'primary key' : '',
    column.notNull ? 'not null' : '',
    column.isUnique ? `constraint ${column.uniqueName} unique` : '',
    identity === undefined ? '' : `generated ${identity.type === 'always' ? 'always' : 'by default'} as identity`,
    value === undefined ? '' : `default ${is(value, SQL) ? render(value) : literal(value)}`,
  ].join(' ');
}

function orderedColumn(column: IndexedColumn): string {
  const { order = 'asc', nulls = 'last' } = column.indexConfig ?? {};
  // The default must not be said to kinds of index that have no order.
  return order === 'asc' && nulls === 'last' ? quoted(column) : `${quoted(column)} ${order} nulls ${nulls}`;
}

function literal(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  return `'${typeof value === 'string' ? value : JSON.stringify(value)}'`;
}

function quoted(column: { readonly name?: string | undefined }): string {
  return `"${column.name ?? ''}"`;
}

function render(part: SQL): string {
  return dialect.sqlToQuery(part).sql;
}
