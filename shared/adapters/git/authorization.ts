import type { GitCredential } from '../../domain/gitops/repo-credential.ts';
import { readRepositoryUrl } from '../../domain/gitops/repository-url.ts';

/**
 * The Authorization header for a user name and a password, or a token in its place; undefined where neither is given.
 * `nobody` is the user where neither the credential nor the address names one.
 */
export function basicAuthorization(
  url: string,
  { username, password }: GitCredential,
  nobody = '',
): string | undefined {
  const user = oneLine(username) || (readRepositoryUrl(url)?.user ?? '');
  const secret = oneLine(password);
  if (user === '' && secret === '') return undefined;
  return `Basic ${Buffer.from(`${user || nobody}:${secret}`).toString('base64')}`;
}

/** As git itself reads what it is given: up to the end of the first line, which a file often has and nobody means. */
function oneLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? '';
}
