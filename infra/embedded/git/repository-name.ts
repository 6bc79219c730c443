/** Letters, digits, dashes and underscores, with single dots between them: nothing that a path or a shell reads as its own. */
const part = /^[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*$/;
const longest = 100;

export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

/** Reads `owner/name`. A name that ends in `.git` is refused, because the address adds that ending itself. */
export function readRepositoryName(text: string): RepositoryName | undefined {
  const [owner, name, ...more] = text.split('/');
  if (owner === undefined || name === undefined || more.length > 0) return undefined;
  return isPart(owner) && isPart(name) && !/\.git$/i.test(name) ? { owner, name } : undefined;
}

function isPart(text: string): boolean {
  return text.length <= longest && part.test(text);
}
