/** A text of others, without the user names and passwords of the addresses in it. */
export function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^\s/@]*@/g, '//');
}
