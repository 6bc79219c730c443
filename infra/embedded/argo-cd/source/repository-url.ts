/** The way git gets to a repository; nothing that reads local files or runs a program is among them. */
export type Transport = 'http' | 'https' | 'ssh' | 'git';

const scpLike = /^(?:[A-Za-z0-9._-]+@)?[A-Za-z0-9][A-Za-z0-9.-]*:(?!\/\/)[^\s:]+$/;

/** Undefined where git must not be given this address. */
export function readTransport(url: string): Transport | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  if (/[\u0000-\u0020\u007f]/.test(url) || url.startsWith('-') || url.includes('::')) return undefined;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined) return scpLike.test(url) ? 'ssh' : undefined;
  if (scheme !== 'http' && scheme !== 'https' && scheme !== 'ssh' && scheme !== 'git') return undefined;
  // A host or a user that begins with a dash would be read as an option by ssh.
  const host = /^[a-z]+:\/\/(?:[^/@]*@)?([^/:?#]*)/i.exec(url)?.[1] ?? '';
  const user = /^[a-z]+:\/\/([^/@]*)@/i.exec(url)?.[1] ?? '';
  return host === '' || host.startsWith('-') || user.startsWith('-') ? undefined : scheme;
}

/** Two addresses that Argo CD takes for one: case, `.git` and the two ways of writing ssh do not matter. */
export function normalizeRepositoryUrl(url: string): string {
  let text = url.trim().toLowerCase();
  if (!text.includes('://') && /^[^/]*@[^/]*:/.test(text)) text = `ssh://${text.replace(':', '/')}`;
  return text.replace(/\.git$/, '').replace(/^ssh:\/\//, '');
}
