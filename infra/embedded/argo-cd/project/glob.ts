const cache = new Map<string, RegExp>();
const cacheLimit = 1_000;

/** The glob language of Argo CD: `*` stops at a separator where there is one, `**` never does, `?`, `[ab]`, `{a,b}`. */
export function matchesGlob(pattern: string, value: string, separator = ''): boolean {
  const key = `${separator}\u0000${pattern}`;
  let expression = cache.get(key);
  if (expression === undefined) {
    if (cache.size >= cacheLimit) cache.clear();
    expression = compile(pattern, separator);
    cache.set(key, expression);
  }
  return expression.test(value);
}

function compile(pattern: string, separator: string): RegExp {
  const some = separator === '' ? '[\\s\\S]' : `[^${escaped(separator)}]`;
  let depth = 0;
  const source = pattern.replace(/\\[\s\S]|\*\*?|\[!?[^\]]*\]|[\s\S]/g, (token) => {
    if (token === '**') return '[\\s\\S]*';
    if (token === '*') return `${some}*`;
    if (token === '?') return some;
    if (token === '{') {
      depth += 1;
      return '(?:';
    }
    if (token === '}' && depth > 0) {
      depth -= 1;
      return ')';
    }
    if (token === ',' && depth > 0) return '|';
    if (token.startsWith('[') && token.length > 2) return token.replace(/^\[!/, '[^').replaceAll('\\', '\\\\');
    return escaped(token.length === 2 && token.startsWith('\\') ? token.slice(1) : token);
  });
  try {
    return new RegExp(`^${source}$`);
  } catch {
    // A pattern that is none matches nothing, as in Argo CD.
    return /^\b$/;
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
