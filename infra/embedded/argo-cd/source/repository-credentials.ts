import { normalizeRepositoryUrl } from './repository-url.ts';

/** A Secret of Argo CD, its data decoded. */
export interface ArgoSecret {
  readonly name: string;
  readonly type: string;
  readonly data: Readonly<Record<string, string>>;
}

export interface RepositoryCredentials {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly bearerToken?: string | undefined;
  readonly sshPrivateKey?: string | undefined;
  readonly insecure: boolean;
}

/**
 * The credentials for a repository: a repository Secret of the project, else one of no project; where that has none of its
 * own, the credential template with the longest matching address.
 */
export function chooseCredentials(
  secrets: readonly ArgoSecret[],
  url: string,
  project: string,
): RepositoryCredentials | undefined {
  const wanted = normalizeRepositoryUrl(url);
  const same = secrets.filter(
    ({ type, data }) => type === 'repository' && normalizeRepositoryUrl(data['url'] ?? '') === wanted,
  );
  const repository =
    same.find(({ data }) => (data['project'] ?? '') === project) ??
    same.find(({ data }) => (data['project'] ?? '') === '');
  const own = repository === undefined ? undefined : readCredentials(repository);
  if (own !== undefined && hasCredentials(own)) return own;

  const [template] = secrets
    .filter(({ type, data }) => type === 'repo-creds' && (data['url'] ?? '') !== '')
    .map((secret) => ({ secret, prefix: normalizeRepositoryUrl(secret.data['url'] ?? '') }))
    .filter(({ prefix }) => wanted.startsWith(prefix))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  if (template === undefined) return own;
  return { ...readCredentials(template.secret), insecure: own?.insecure ?? false };
}

function readCredentials({ data }: ArgoSecret): RepositoryCredentials {
  const value = (name: string) => (data[name] === '' ? undefined : data[name]);
  return {
    username: value('username'),
    password: value('password'),
    bearerToken: value('bearerToken'),
    sshPrivateKey: value('sshPrivateKey'),
    insecure: data['insecure'] === 'true' || data['insecureIgnoreHostKey'] === 'true',
  };
}

function hasCredentials({ username, password, bearerToken, sshPrivateKey }: RepositoryCredentials): boolean {
  return [username, password, bearerToken, sshPrivateKey].some((one) => one !== undefined);
}
