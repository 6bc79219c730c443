/** The value of a Warning header, or nothing for a text that no header can carry: the API drops such a warning too. */
export function warningHeader(text: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (text === '' || /[\u0000-\u001f\u007f]/.test(text)) return undefined;
  return `299 - "${text.replace(/["\\]/g, (special) => `\\${special}`)}"`;
}
