/**
 * The paths of fields that a JSON text names twice in one object. JSON.parse keeps the last and says nothing, but
 * strict field validation promises to tell. The text must be valid JSON.
 */
export function duplicateFields(text: string): string[] {
  const found: string[] = [];
  let at = 0;
  value('');
  return found;

  function value(path: string): void {
    space();
    const first = text[at];
    if (first === '{') object(path);
    else if (first === '[') array(path);
    else if (first === '"') string();
    else while (at < text.length && !',]}'.includes(text[at] as string)) at += 1;
  }

  function object(path: string): void {
    const seen = new Set<string>();
    at += 1;
    for (space(); text[at] !== '}' && at < text.length; space()) {
      const name = JSON.parse(string()) as string;
      const field = path === '' ? name : `${path}.${name}`;
      if (seen.has(name)) found.push(field);
      seen.add(name);
      space();
      at += 1;
      value(field);
      space();
      if (text[at] === ',') at += 1;
    }
    at += 1;
  }

  function array(path: string): void {
    at += 1;
    space();
    for (let item = 0; text[at] !== ']' && at < text.length; item += 1) {
      value(`${path}[${item}]`);
      space();
      if (text[at] === ',') at += 1;
      space();
    }
    at += 1;
  }

  function string(): string {
    const from = at;
    at += 1;
    while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    at += 1;
    return text.slice(from, at);
  }

  function space(): void {
    while (at < text.length && ' \t\n\r'.includes(text[at] as string)) at += 1;
  }
}
