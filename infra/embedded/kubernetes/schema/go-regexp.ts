/**
 * A regular expression of Go (RE2) as one of JavaScript. The syntaxes differ little: flags may stand anywhere in a
 * group and hold to its end, the ends of the text have other names, and there are POSIX classes. A pattern that cannot
 * be translated throws.
 */
export function goRegExp(pattern: string): RegExp {
  const source = withGroupedFlags(pattern)
    .replaceAll('(?P<', '(?<')
    .replaceAll('\\z', '$')
    .replaceAll('\\A', '^')
    .replaceAll(/\[:(\w+):\]/g, (whole, name: string) => posix[name] ?? whole);
  // With the flag for Unicode a needless escape is an error, which Go forgives.
  return compile(source, 'u') ?? new RegExp(source);
}

const posix: Readonly<Record<string, string>> = {
  alnum: 'a-zA-Z0-9',
  alpha: 'a-zA-Z',
  digit: '0-9',
  lower: 'a-z',
  upper: 'A-Z',
  space: '\\s',
  xdigit: '0-9a-fA-F',
  word: '\\w',
  punct: '!-\\/:-@\\[-`{-~',
};

function compile(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

/** `a(?i)b` becomes `a(?i:b)`: a group of its own up to the end of the group around it. */
function withGroupedFlags(pattern: string): string {
  const token = /\\.|\[(?:\^?\])?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\(\?([ims]+)\)|[()]|[^\\[()]+|./gs;
  const opened = [0];
  let text = '';
  for (const [found, flags] of pattern.matchAll(token)) {
    if (flags !== undefined) {
      text += `(?${flags}:`;
      opened.push((opened.pop() ?? 0) + 1);
    } else if (found === '(') {
      text += found;
      opened.push(0);
    } else if (found === ')') {
      text += ')'.repeat((opened.pop() ?? 0) + 1);
    } else text += found;
  }
  return text + ')'.repeat(opened[0] ?? 0);
}
