import { clusterSecretName } from './names.ts';
import { databaseIdLabel, secretTypeLabel, type WrittenSecret } from './written-object.ts';

/** An environment with the credentials of its cluster, as the rows have them. */
export interface EnvironmentRow {
  readonly id: string;
  /** The cluster that Argo CD itself runs in: no Secret is needed. */
  readonly local: boolean;
  readonly credentialsId: string;
  readonly host: string;
  /** Opened only where it is needed; undefined: there is none. */
  readonly token: () => string | undefined;
  readonly certificateAuthority?: string | undefined;
  readonly insecure: boolean;
  /** Empty: all. */
  readonly namespaces: readonly string[];
  readonly clusterResources: boolean;
  /** The credentials that the Secret beside this Argo CD was last written from. */
  readonly appliedCredentialsId?: string | undefined;
  /** The tenant may use it through this Argo CD. */
  readonly accessible: boolean;
}

/** Why no Secret can be written, for the user; undefined where one can. */
export function environmentProblem({ host }: Pick<EnvironmentRow, 'host'>): string | undefined {
  if (host === '') return 'The environment has no address of an API server';
  if (/[?&]/.test(host)) return 'The address of the API server must not contain ? or &';
  return undefined;
}

/**
 * The Secret by which Argo CD knows a cluster. The query behind the address tells two environments of one cluster apart:
 * each has credentials of its own.
 */
export function writtenClusterSecret(environment: EnvironmentRow, namespace: string): WrittenSecret {
  const { id, host, token, certificateAuthority, insecure, namespaces, clusterResources } = environment;
  const name = clusterSecretName(id);
  // Argo CD refuses an authority together with the wish not to check it.
  const caData = !insecure && certificateAuthority !== undefined ? { caData: inBase64(certificateAuthority) } : {};
  return {
    metadata: { name, namespace, labels: { [secretTypeLabel]: 'cluster', [databaseIdLabel]: id } },
    values: {
      name,
      server: `${host}?managedEnvironment=${id}`,
      config: JSON.stringify({ bearerToken: token() ?? '', tlsClientConfig: { insecure, ...caData } }),
      ...(clusterResources && { clusterResources: 'true' }),
      ...(namespaces.length > 0 && { namespaces: namespaces.toSorted().join(',') }),
    },
  };
}

/** PEM is ASCII. */
function inBase64(pem: string): string {
  return btoa(pem);
}
