const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const replacements: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** Words of the language; as a name of a field they may be spelled plainly, too. */
export function isReserved(name: string): boolean {
  return reserved.has(name);
}

/** How a rule spells a field. Nothing where the name cannot be spelled, so that rules cannot reach the field. */
export function escapeName(name: string): string | undefined {
  if (!/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(name)) return undefined;
  if (reserved.has(name)) return `__${name}__`;
  return name.replace(/__|[-./]/g, (found) => replacements[found] ?? found);
}
