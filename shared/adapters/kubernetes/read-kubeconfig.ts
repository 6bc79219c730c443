import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { type Fields, isFields } from '../../domain/core/fields.ts';

/** A value that stands in the kubeconfig itself, or in a file that may be renewed under our feet. */
export type Material = { readonly value: string } | { readonly file: string };

export interface ClusterEntry {
  readonly server: string;
  readonly authority?: Material | undefined;
  readonly insecure: boolean;
  readonly serverName?: string | undefined;
  readonly proxyUrl?: string | undefined;
}

export interface UserEntry {
  readonly name: string;
  readonly certificate?: Material | undefined;
  readonly key?: Material | undefined;
  readonly token?: Material | undefined;
  readonly basic?: { readonly username: string; readonly password: string } | undefined;
  /** Headers that make the API server act for somebody else. */
  readonly impersonation: Readonly<Record<string, string | string[]>>;
  /** A program that prints a credential. */
  readonly exec?: ExecEntry | undefined;
  /** The older kind of plugin (OpenID Connect and the like), which only the Kubernetes client knows. */
  readonly authProvider?: AuthProviderEntry | undefined;
}

interface AuthProviderEntry {
  readonly name: string;
  readonly config: unknown;
}

interface ExecEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly apiVersion: string;
}

interface Kubeconfig {
  readonly context: string;
  readonly cluster: ClusterEntry;
  readonly user: UserEntry;
}

/**
 * Reads the cluster and the user of one context. Ours, because the parser of the Kubernetes client comes with all its
 * models: it took 50 MB of memory and most of a second to load, for a file of twenty lines.
 *
 * `path` may be a list, as KUBECONFIG is: the first file that names a thing wins, and files that are not there are skipped.
 */
export function readKubeconfig(path: string, wanted?: string): Kubeconfig {
  const files = path.split(delimiter).filter((file) => file !== '');
  const present = files.length > 1 ? files.filter((file) => existsSync(file)) : files;
  if (present.length === 0) throw new Error(`There is no kubeconfig at ${path}: name one that exists`);
  const documents = present.map((file) => ({ folder: dirname(resolve(file)), fields: readDocument(file) }));

  const context =
    wanted ?? documents.map(({ fields }) => text(fields, 'current-context')).find((name) => name !== undefined);
  if (context === undefined) throw new Error(`${path} has no current-context: name the context to use`);
  const chosen = find(documents, 'contexts', 'context', context);
  if (chosen === undefined) throw new Error(`${path} has no context "${context}"`);

  const clusterName = text(chosen.fields, 'cluster') ?? '';
  const cluster = find(documents, 'clusters', 'cluster', clusterName);
  if (cluster === undefined)
    throw new Error(`${path} has no cluster "${clusterName}", which its context "${context}" names`);
  const server = text(cluster.fields, 'server');
  if (server === undefined) throw new Error(`The cluster "${clusterName}" of ${path} has no server address`);
  const userName = text(chosen.fields, 'user') ?? '';
  const user = find(documents, 'users', 'user', userName);
  if (user === undefined && userName !== '')
    throw new Error(`${path} has no user "${userName}", which its context "${context}" names`);

  return {
    context,
    cluster: {
      server: server.replace(/\/+$/, ''),
      authority: material(cluster, 'certificate-authority'),
      insecure: cluster.fields['insecure-skip-tls-verify'] === true,
      serverName: text(cluster.fields, 'tls-server-name'),
      proxyUrl: text(cluster.fields, 'proxy-url'),
    },
    user: readUser(userName, user ?? { folder: '', fields: {} }),
  };
}

interface Entry {
  readonly folder: string;
  readonly fields: Fields;
}

function readUser(name: string, entry: Entry): UserEntry {
  const { fields, folder } = entry;
  const token = text(fields, 'token');
  const tokenFile = text(fields, 'tokenFile');
  const username = text(fields, 'username');
  return {
    name,
    certificate: material(entry, 'client-certificate'),
    key: material(entry, 'client-key'),
    // The file wins over the value, as in kubectl: the value is what the file held when it was written.
    token:
      tokenFile !== undefined
        ? { file: resolve(folder, tokenFile) }
        : token !== undefined
          ? { value: token }
          : undefined,
    basic: username === undefined ? undefined : { username, password: text(fields, 'password') ?? '' },
    impersonation: impersonation(fields),
    exec: readExec(fields['exec']),
    authProvider: readAuthProvider(fields['auth-provider']),
  };
}

function readExec(exec: unknown): ExecEntry | undefined {
  if (!isFields(exec)) return undefined;
  return {
    command: text(exec, 'command') ?? '',
    args: list(exec['args']).map(String),
    env: list(exec['env'])
      .filter(isFields)
      .map((entry) => ({ name: String(entry['name']), value: String(entry['value']) })),
    apiVersion: text(exec, 'apiVersion') ?? '',
  };
}

function readAuthProvider(provider: unknown): AuthProviderEntry | undefined {
  return isFields(provider) ? { name: text(provider, 'name') ?? '', config: provider['config'] } : undefined;
}

function impersonation(fields: Fields): Record<string, string | string[]> {
  const as = text(fields, 'as');
  const uid = text(fields, 'as-uid');
  const groups = list(fields['as-groups']).map(String);
  const extra = isFields(fields['as-user-extra']) ? Object.entries(fields['as-user-extra']) : [];
  return {
    ...(as !== undefined && { 'impersonate-user': as }),
    ...(uid !== undefined && { 'impersonate-uid': uid }),
    ...(groups.length > 0 && { 'impersonate-group': groups }),
    ...Object.fromEntries(
      extra.map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key)}`, list(values).map(String)]),
    ),
  };
}

/** `<name>-data` is base64 in the file itself; `<name>` is a path, relative to the file it stands in. Data wins, as in kubectl. */
function material({ folder, fields }: Entry, name: string): Material | undefined {
  const data = text(fields, `${name}-data`);
  if (data !== undefined) return { value: Buffer.from(data, 'base64').toString('utf8') };
  const file = text(fields, name);
  return file === undefined ? undefined : { file: resolve(folder, file) };
}

function find(documents: readonly Entry[], plural: string, singular: string, name: string): Entry | undefined {
  for (const { folder, fields } of documents) {
    const entry = list(fields[plural]).find((candidate) => isFields(candidate) && candidate['name'] === name);
    if (isFields(entry) && isFields(entry[singular])) return { folder, fields: entry[singular] };
  }
  return undefined;
}

function readDocument(file: string): Fields {
  let document: unknown;
  try {
    document = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    // The parser quotes the line it stumbled over, and that line may hold a token: the cause stays out.
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new Error(`The kubeconfig ${file} cannot be read (${reason})`);
  }
  if (!isFields(document)) throw new Error(`${file} is not a kubeconfig`);
  return document;
}

function text(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
