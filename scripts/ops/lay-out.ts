import { stripVTControlCharacters } from 'node:util';

/** Rows in columns, two spaces apart; the last column is as wide as it likes. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.slice(0, -1).entries()) widths[index] = Math.max(widths[index] ?? 0, width(cell));
  }
  return rows.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : cell + ' '.repeat((widths[index] ?? 0) - width(cell))))
      .join('  ')
      .trimEnd(),
  );
}

export function indent(lines: readonly string[], by = '  '): string[] {
  return lines.flatMap((line) => line.split('\n')).map((line) => (line === '' ? line : by + line));
}

/** The first of a long list, and how many more there are. */
export function firstOf(lines: readonly string[], most: number): string[] {
  return lines.length <= most ? [...lines] : [...lines.slice(0, most), `… and ${lines.length - most} more`];
}

function width(text: string): number {
  return stripVTControlCharacters(text).length;
}
