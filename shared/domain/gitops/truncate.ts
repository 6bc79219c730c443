/**
 * The text in at most so many characters, with dots where something was left out. Characters, not bytes: a limit in
 * bytes needs a quarter of it here. What is no proper text has nothing worth keeping.
 */
export function truncate(text: string, most: number): string {
  if (most < 0 || !text.isWellFormed()) return '';
  const characters = Array.from(text);
  if (characters.length <= most) return text;
  return most <= 3 ? '.'.repeat(most) : `${characters.slice(0, most - 3).join('')}...`;
}
