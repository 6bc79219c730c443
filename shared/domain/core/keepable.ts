/** Words of users come into rows, and a single character that no row keeps would lose the step that writes them. */
export function keepable(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\ufffd');
}
