import { repositoryCredentials, secrets } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { secretTypes } from '../../../../shared/contracts/kubernetes/metadata-keys.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';
import type { PlayedGitHost } from './played-git-host.ts';

interface CredentialRow {
  readonly id: string;
  readonly url: string;
  readonly secret_name: string;
  readonly revision: number;
  readonly user_id: string;
  readonly engine_instance_id: string;
}

/** A namespace with one repository on the host, and what tests of credentials do there. */
export async function openCredentialScene(world: GitOpsWorld, host: PlayedGitHost) {
  const namespace = await world.namespace('creds');
  const path = `/${namespace.name}/Repo.git`;
  host.repositories.set(path, 'hunter2');
  const key = { namespace: namespace.name, name: 'access' };

  async function makeSecret(
    fields: Readonly<Record<string, string>> = { username: 'me', password: 'hunter2' },
    type: string = secretTypes.repositoryCredential,
    name = 'creds',
  ): Promise<void> {
    const data = Object.fromEntries(
      Object.entries(fields).map(([field, value]) => [field, Buffer.from(value).toString('base64')]),
    );
    await world.cluster.create(secrets, { metadata: { name, namespace: namespace.name }, type, data });
  }

  return {
    namespace,
    key,
    path,
    url: `${host.url}${path}`,
    makeSecret,

    async rotate(password: string): Promise<void> {
      const patch = { data: { password: Buffer.from(password).toString('base64') } };
      await world.cluster.patch(secrets, { namespace: namespace.name, name: 'creds' }, patch);
    },

    async dropSecret(): Promise<void> {
      await world.cluster.remove(secrets, { namespace: namespace.name, name: 'creds' });
    },

    async make(but: { readonly repository?: string; readonly secret?: string } = {}): Promise<string> {
      const { metadata } = await world.cluster.create(repositoryCredentials, {
        metadata: { name: key.name, namespace: namespace.name },
        spec: { repository: `${host.url}${path}`, secret: 'creds', ...but },
      });
      return metadata.uid;
    },

    async change(spec: { readonly repository?: string; readonly secret?: string }): Promise<void> {
      await world.cluster.patch(repositoryCredentials, key, { spec });
    },

    async drop(): Promise<void> {
      await world.cluster.remove(repositoryCredentials, key);
    },

    /** Type to status, reason and message, as the object says it. */
    async says(): Promise<Record<string, readonly [string, string, string]>> {
      const conditions = (await world.cluster.read(repositoryCredentials, key))?.status?.conditions ?? [];
      return Object.fromEntries(
        conditions.map(({ type, status, reason, message }) => [type, [status, reason, message] as const]),
      );
    },

    async conditions() {
      return (await world.cluster.read(repositoryCredentials, key))?.status?.conditions ?? [];
    },

    async rows(): Promise<readonly CredentialRow[]> {
      return world.sql<CredentialRow[]>`
        select c.id, c.url, c.secret_name, c.revision::integer, c.user_id, c.engine_instance_id
        from api_cr_to_database_mapping m join repository_credentials c on c.id = m.db_relation_key
        where m.api_resource_type = 'GitOpsDeploymentRepositoryCredential' and m.db_relation_type = 'RepositoryCredential'
          and m.api_resource_namespace_uid = ${namespace.uid} and m.api_resource_name = ${key.name}`;
    },

    /** Operations about the credential that came after the last time this was asked. */
    async newOperations(id: string): Promise<number> {
      const rows = await world.sql`
        select id from operation where resource_type = 'RepositoryCredentials' and resource_id = ${id} and human_readable_state <> 'seen'`;
      await world.sql`update operation set state = 'Completed', human_readable_state = 'seen' where resource_id = ${id}`;
      return rows.length;
    },

    /** Everything that is stored and said about the namespace, to look for what must not be there. */
    async everythingSaid(): Promise<string> {
      const tables = await Promise.all([
        world.sql`select * from step_log where tenant = ${namespace.name}`,
        world.sql`select * from ledger where tenant = ${namespace.name}`,
        world.sql`select * from knock where tenant = ${namespace.name}`,
        world.sql`select * from wakeup where tenant = ${namespace.name}`,
        world.sql`select id, url, secret_name from repository_credentials where user_id = ${namespace.uid}`,
        world.sql`select encode(auth_username, 'escape') as a, encode(auth_password, 'escape') as b from repository_credentials`,
      ]);
      return JSON.stringify([tables, await this.conditions(), world.queue.sent]);
    },
  };
}
