import { type EnvironmentCondition, environmentConditions as say } from './environment-conditions.ts';
import type { EnvironmentCredentials, EnvironmentSpec } from './managed-environment.ts';
import { joinNamespaces } from './namespace-list.ts';

/** The part of a kubeconfig that is ever used: no programs, no files, no certificates of users. */
export interface Kubeconfig {
  readonly currentContext: string;
  readonly clusters: readonly {
    readonly name: string;
    readonly server: string;
    readonly certificateAuthority: string | undefined;
    /** It only says in which file the authority is. */
    readonly namesFile: boolean;
  }[];
  readonly contexts: readonly { readonly name: string; readonly cluster: string; readonly user: string }[];
  readonly users: readonly { readonly name: string; readonly token: string | undefined }[];
}

export interface EnvironmentSecret {
  readonly type: string;
  readonly kubeconfig: Kubeconfig | 'missing' | 'unreadable';
}

/** The credentials that the Secret yields, with the user's own token in them, or what is wrong with it. */
export type Choice = { readonly wanted: EnvironmentCredentials } | { readonly problem: EnvironmentCondition };

export const environmentSecretType = 'managed-gitops.redhat.com/managed-environment';

/** As long as the columns are; the original stops at the same place for the namespaces. */
const longest = { server: 512, token: 8_192, certificateAuthority: 65_536, namespaces: 4_096 } as const;

/**
 * Chooses how to reach the cluster of an environment. The checks come in the order in which clients of the original
 * service meet them, and nobody is asked anything before all of them have passed.
 */
export function chooseCredentials(spec: EnvironmentSpec, secret: EnvironmentSecret | undefined): Choice {
  if (spec.credentialsSecret === '') return { problem: say.secretNotNamed };
  if (secret === undefined) return { problem: say.secretMissing(spec.credentialsSecret) };
  const wrongUrl = spec.apiURL === '' ? undefined : problemOfUrl(spec.apiURL);
  if (wrongUrl !== undefined) return { problem: wrongUrl };
  const namespaces = joinNamespaces(spec.namespaces);
  if ('invalid' in namespaces) return { problem: say.invalidNamespace(namespaces.invalid) };
  if (secret.type !== environmentSecretType) return { problem: say.wrongSecretType(secret.type) };
  if (secret.kubeconfig === 'missing') return { problem: say.noKubeconfig };
  if (secret.kubeconfig === 'unreadable') return { problem: say.badKubeconfig };
  return chooseFrom(secret.kubeconfig, spec, namespaces.joined);
}

function chooseFrom(kubeconfig: Kubeconfig, spec: EnvironmentSpec, namespaces: string): Choice {
  const clusters = clustersFor(kubeconfig, spec.apiURL);
  if (clusters.length === 0) return { problem: say.noCluster(spec.apiURL) };
  const server = spec.apiURL === '' ? (clusters[0]?.server ?? '') : spec.apiURL;
  const wrongUrl = problemOfUrl(server);
  if (wrongUrl !== undefined) return { problem: wrongUrl };

  const contexts = kubeconfig.contexts.filter((context) => clusters.some(({ name }) => name === context.cluster));
  // A kubeconfig may know several users for one cluster: the one in use goes first, then the order of the file.
  const context = contexts.find(({ name }) => name === kubeconfig.currentContext) ?? contexts[0];
  const cluster = clusters.find(({ name }) => name === context?.cluster);
  if (context === undefined || cluster === undefined) return { problem: say.noContext(server) };

  const insecure = spec.allowInsecureSkipTLSVerify;
  if (!insecure && cluster.certificateAuthority === undefined && cluster.namesFile)
    return { problem: say.authorityInFile };
  if (!insecure && cluster.certificateAuthority !== undefined && !isCertificate(cluster.certificateAuthority))
    return { problem: say.badAuthority };

  const token = kubeconfig.users.find(({ name }) => name === context.user)?.token;
  if (token === undefined || !isToken(token)) return { problem: say.noToken(context.name) };
  const wanted: EnvironmentCredentials = {
    server,
    token,
    // An authority that nobody asks is not kept.
    certificateAuthority: insecure ? undefined : cluster.certificateAuthority,
    insecure,
    namespaces,
    clusterResources: spec.clusterResources,
  };
  return fits(wanted) ? { wanted } : { problem: say.tooLong };
}

function clustersFor({ clusters, contexts, currentContext }: Kubeconfig, apiURL: string): Kubeconfig['clusters'] {
  if (apiURL !== '') return clusters.filter(({ server }) => sameServer(server, apiURL));
  const current = contexts.find(({ name }) => name === currentContext);
  return clusters.filter(({ name, server }) => name === current?.cluster && server !== '');
}

function sameServer(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(server: string): string {
  return server.toLowerCase().replace(/\/+$/, '');
}

function problemOfUrl(url: string): EnvironmentCondition | undefined {
  // Argo CD tells the clusters of several environments apart by a query that is put behind this address.
  if (/[?&]/.test(url)) return say.queryInUrl;
  if (!/^https:\/\/[^/\s]\S*$/i.test(url) || /[\p{Cc}\p{Cs}]/u.test(url) || !URL.canParse(url)) return say.notHttps;
  const { username, password } = new URL(url);
  return username !== '' || password !== '' || url.includes('#') ? say.moreThanAnAddress : undefined;
}

function isCertificate(text: string): boolean {
  // Whatever stands between certificates is skipped by who reads them, but Postgres keeps no zero bytes.
  return (
    !text.includes('\u0000') &&
    /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[\s\S]+-----END (?:TRUSTED )?CERTIFICATE-----/.test(text)
  );
}

/** What may stand in the header of a request: anything else is no token, whatever it is. */
function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

function fits(credentials: EnvironmentCredentials): boolean {
  return Object.entries(longest).every(([field, bytes]) => {
    const value = credentials[field as keyof typeof longest] ?? '';
    return new TextEncoder().encode(value).length <= bytes;
  });
}
