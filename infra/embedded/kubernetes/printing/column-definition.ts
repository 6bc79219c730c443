/** A column as the Table says it. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** What the columns of built-in kinds mean; clients show these texts in `kubectl explain`-like places only. */
const descriptions: Readonly<Record<string, string>> = {
  Name: 'The name of the object, unique among the objects of its kind in its namespace.',
  Age: 'How long ago the object was created.',
  'Created At': 'When the object was created.',
  Status: 'The state that the object reports.',
  Ready: 'How much of what is wanted is ready.',
  Data: 'How many entries the object holds.',
  Type: 'The type of the object.',
};

/** Reads `name:type:format`, with a `+` before columns that only `-o wide` shows. */
export function columnDefinition(words: string): ColumnDefinition {
  const isWide = words.startsWith('+');
  const [name = '', type = 'string', format = ''] = words.slice(isWide ? 1 : 0).split(':');
  const description = descriptions[name] ?? `${name} of the object.`;
  return { name, type, format, description, priority: isWide ? 1 : 0 };
}
