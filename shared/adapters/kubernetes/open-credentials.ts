import { readFile } from 'node:fs/promises';
import type { RequestOptions } from 'node:https';
import type { ClusterEntry, Material, UserEntry } from './read-kubeconfig.ts';

export interface TlsMaterial {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

interface Credential {
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** The same object as long as it holds the same: a new one means that connections must be made anew. */
  readonly tls: TlsMaterial;
}

interface Credentials {
  current(): Promise<Credential>;
  /** The certificate that the server's own is checked against, as it is now. Undefined: what the machine trusts. */
  authority(): Promise<string | undefined>;
  /** The API server did not accept it: read and ask again next time. */
  forget(): void;
}

type Plugin = () => Promise<{ headers: Record<string, string>; cert?: string; key?: string }>;

// Tokens of service accounts are renewed in their file long before they end; a minute is what kubectl waits, too.
const rereadFilesMs = 60_000;
// Plugins keep their own cache and know when it ends; this only spares the look into it.
const askPluginMs = 5_000;
const pluginTimeoutMs = 60_000;

export function openCredentials(cluster: ClusterEntry, user: UserEntry, now: () => number): Credentials {
  let plugin: Plugin | undefined;
  let known: { credential: Credential; until: number } | undefined;
  let loading: Promise<Credential> | undefined;

  async function load(): Promise<Credential> {
    const [ca, cert, key, token] = await Promise.all(
      [cluster.authority, user.certificate, user.key, user.token].map(readMaterial),
    );
    plugin ??= await openPlugin(user);
    const given = await plugin?.();
    const credential: Credential = {
      headers: { ...user.impersonation, ...authorization(user, token), ...given?.headers },
      tls: sameOr(known?.credential.tls, {
        ...optional('ca', ca),
        ...optional('cert', given?.cert ?? cert),
        ...optional('key', given?.key ?? key),
        ...optional('servername', cluster.serverName),
        ...(cluster.insecure && { rejectUnauthorized: false }),
      }),
    };
    known = { credential, until: now() + lifetime(cluster, user) };
    return credential;
  }

  return {
    async current() {
      if (known !== undefined && now() < known.until) return known.credential;
      // One at a time: a plugin starts a program, and twenty watches would start twenty of them.
      loading ??= load().finally(() => {
        loading = undefined;
      });
      return loading;
    },
    authority: () => readMaterial(cluster.authority),
    forget() {
      plugin = undefined;
      if (known !== undefined) known = { ...known, until: 0 };
    },
  };
}

function lifetime(cluster: ClusterEntry, user: UserEntry): number {
  if (user.exec !== undefined || user.authProvider !== undefined) return askPluginMs;
  const fromFile = [cluster.authority, user.certificate, user.key, user.token].some(
    (material) => material !== undefined && 'file' in material,
  );
  return fromFile ? rereadFilesMs : Number.POSITIVE_INFINITY;
}

/** Loaded only where a kubeconfig asks for it: most do not, and the models of the Kubernetes client take 50 MB. */
async function openPlugin(user: UserEntry): Promise<Plugin | undefined> {
  if (user.exec !== undefined) {
    // This one file of the client needs nothing else of it.
    const { ExecAuth } = await import('@kubernetes/client-node/dist/exec_auth.js');
    const auth = new ExecAuth();
    const asked = { name: user.name, exec: user.exec };
    return () => withOptions((options) => auth.applyAuthentication(asked, options), user.exec?.command ?? '');
  }
  if (user.authProvider !== undefined) {
    const { KubeConfig } = await import('@kubernetes/client-node');
    const config = new KubeConfig();
    const provider = user.authProvider;
    config.loadFromClusterAndUser(
      { name: 'cluster', server: 'https://unused', skipTLSVerify: true },
      { name: user.name, authProvider: provider },
    );
    return () => withOptions((options) => config.applyToHTTPSOptions(options), provider.name);
  }
  return undefined;
}

async function withOptions(apply: (options: RequestOptions) => Promise<void>, who: string) {
  const options: RequestOptions = {};
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`The credential plugin "${who}" gave no answer in ${pluginTimeoutMs / 1000} s`)),
      pluginTimeoutMs,
    );
  });
  try {
    await Promise.race([apply(options), late]);
  } catch (error) {
    throw new Error(`The credential plugin "${who}" of the kubeconfig gave no credential: run it by hand to see why`, {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
  const headers = Object.entries((options.headers ?? {}) as Record<string, unknown>).map(([name, value]) => [
    name.toLowerCase(),
    String(value),
  ]);
  return {
    headers: Object.fromEntries(headers) as Record<string, string>,
    ...(typeof options.cert === 'string' && { cert: options.cert }),
    ...(typeof options.key === 'string' && { key: options.key }),
  };
}

function authorization({ basic }: UserEntry, token: string | undefined): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token.trim()}` };
  if (basic === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}` };
}

async function readMaterial(material: Material | undefined): Promise<string | undefined> {
  if (material === undefined) return undefined;
  return 'file' in material ? readFile(material.file, 'utf8') : material.value;
}

function sameOr(before: TlsMaterial | undefined, after: TlsMaterial): TlsMaterial {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(after) ? before : after;
}

function optional<Name extends string>(name: Name, value: string | undefined): { [key in Name]?: string } {
  return value === undefined ? {} : ({ [name]: value } as { [key in Name]?: string });
}
