/** How an address reaches its repository. */
export type RepositoryTransport = 'https' | 'http' | 'ssh';

export interface RepositoryAddress {
  readonly transport: RepositoryTransport;
  /** In lower case, as names of hosts have none of their own; without the port. */
  readonly host: string;
  /** Digits, or empty for the usual one. */
  readonly port: string;
  /** Who is asked for, `git` in most addresses of the ssh kind; empty where nobody is named. */
  readonly user: string;
  /** As the host is asked for it: with a slash in front, but for scp-style addresses, whose path begins at home. */
  readonly path: string;
}

/** As much as a row holds (shared/adapters/postgres/migrations/0001_reference.sql). */
const longest = 512;

const withScheme =
  /^(?<scheme>https?|ssh):\/\/(?:(?<user>[^@:/]*)@)?(?<host>[a-z\d](?:[\w.-]*[a-z\d])?)(?::(?<port>\d{1,5}))?\/*(?<path>\/[^/].*)$/i;
const likeScp = /^(?<user>[\w.][\w.-]*)@(?<host>[a-z\d](?:[\w.-]*[a-z\d])?):(?<path>\/?[^/:-].*)$/i;

/**
 * What is wrong with the address of a repository, in words for its user; undefined where nothing is. The text never
 * repeats the address: there may be a password in it.
 *
 * Argo CD reads the addresses that a project may use as patterns, so that one with a pattern in it would open the
 * repositories of others. Everything but https and ssh either reads the disk of whoever follows it or runs a program.
 */
export function repositoryUrlProblem(url: string): string | undefined {
  if (url === '') return 'repository must not be empty';
  if (new TextEncoder().encode(url).length > longest) return `repository must not be longer than ${longest} bytes`;
  if (/[\s\p{Cc}\p{Cs}]/u.test(url)) return 'repository must not contain white space';
  if (hasPassword(url) || hasToken(url))
    return 'repository must not contain a user name or a password: put them into a Secret and name it in a GitOpsDeploymentRepositoryCredential';
  if (/[*?[\]{}!\\#]/.test(url)) return 'repository must not contain any of the characters * ? [ ] { } ! \\ #';
  if (!/^(?:https?|ssh):\/\//i.test(url) && !likeScp.test(url)) return 'repository must begin with ssh:// or https://';
  if (readRepositoryUrl(url) === undefined)
    return 'repository must name a host and a path, as in https://example.com/team/repository';
  return undefined;
}

/** The parts of an address; undefined where it is none. scp-style addresses (git@host:team/repository) are understood. */
export function readRepositoryUrl(url: string): RepositoryAddress | undefined {
  const trimmed = url.trim();
  const found = (withScheme.exec(trimmed) ?? likeScp.exec(trimmed))?.groups;
  if (found === undefined || Number(found['port'] ?? 1) > 65_535 || Number(found['port'] ?? 1) === 0) return undefined;
  return {
    transport: (found['scheme'] ?? 'ssh').toLowerCase() as RepositoryTransport,
    host: found['host']?.toLowerCase() ?? '',
    port: found['port'] ?? '',
    user: found['user'] ?? '',
    path: found['path'] ?? '',
  };
}

/**
 * One spelling for all the addresses of one repository, for comparing and for nothing else: whoever connects uses the
 * address as it was written. Hosts are compared without case, paths with it. Empty for what is no address.
 */
export function normalizedRepositoryUrl(url: string): string {
  const address = readRepositoryUrl(url);
  if (address === undefined) return '';
  const { transport, host, port, user, path } = address;
  const usual = { https: '443', http: '80', ssh: '22' }[transport];
  const scheme = transport === 'ssh' ? '' : `${transport}://`;
  const place = `${host}${port === '' || port === usual ? '' : `:${port}`}`;
  const bare = path
    .replace(/^\//, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  return `${scheme}${user === '' ? '' : `${user}@`}${place}/${bare}`;
}

/** Is it one that a key opens, not a password? */
export function isSshRepositoryUrl(url: string): boolean {
  return readRepositoryUrl(url)?.transport === 'ssh';
}

function hasPassword(url: string): boolean {
  return /^[^/]*:\/\/[^/@]*:[^/]*@/.test(url) || /^[^/@]*:[^/@]*@/.test(url);
}

/**
 * Many hosts take a token as the user name, and an address is stored and told as it is. Azure DevOps writes the
 * organisation there, which its path begins with: that is no secret.
 */
function hasToken(url: string): boolean {
  const address = readRepositoryUrl(url);
  if (address === undefined || address.transport === 'ssh' || address.user === '') return false;
  return !address.path.startsWith(`/${address.user}/`);
}
