import { projectName, repositorySecretName } from './names.ts';
import { databaseIdLabel, secretTypeLabel, type WrittenSecret } from './written-object.ts';

/** What opens a repository, as the rows have it. */
export interface CredentialsRow {
  readonly id: string;
  readonly userId: string;
  readonly url: string;
  /** The Secret of the user that it was read from. */
  readonly secretName: string;
  readonly revision: number;
  readonly appliedRevision: number;
  /** Opened only where they are needed; undefined: there is none. */
  readonly username: () => string | undefined;
  readonly password: () => string | undefined;
  readonly sshKey: () => string | undefined;
}

/** The Secret by which Argo CD opens a repository. It names its project: no other tenant can use it. */
export function writtenRepositorySecret(credentials: CredentialsRow, namespace: string): WrittenSecret {
  const { id, userId, url, secretName, username, password, sshKey } = credentials;
  return {
    metadata: {
      name: repositorySecretName(id),
      namespace,
      labels: { [secretTypeLabel]: 'repository', [databaseIdLabel]: id },
      annotations: { 'managed-by': 'argocd.argoproj.io' },
    },
    values: {
      name: secretName,
      url,
      project: projectName(userId),
      ...present('username', username()),
      ...present('password', password()),
      ...present('sshPrivateKey', sshKey()),
    },
  };
}

function present(key: string, value: string | undefined): Record<string, string> {
  return value === undefined || value === '' ? {} : { [key]: value };
}
