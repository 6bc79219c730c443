import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import type { Cipher } from '../../../../shared/adapters/postgres/cipher.ts';
import { applicationName, clusterSecretName, projectName } from '../../../../shared/domain/gitops/names.ts';

interface Given {
  readonly sql: Sql;
  readonly cipher: Cipher;
  readonly namespace: { readonly name: string; readonly uid: string };
  readonly instanceId: string;
}

interface ApplicationSettings {
  readonly repoURL?: string;
  readonly environmentId?: string | undefined;
  readonly name?: string;
  readonly spec?: string;
  readonly more?: object;
}

interface CredentialsSettings {
  readonly host?: string;
  readonly token?: string;
  readonly namespaces?: string;
  readonly clusterResources?: boolean;
  readonly insecure?: boolean;
}

/** The rows that other functions leave, by hand. */
export function operationRowsOf({ sql, cipher, namespace, instanceId }: Given) {
  const { uid } = namespace;

  function specOf({ repoURL = 'https://git.example/team/app', environmentId, more }: ApplicationSettings): string {
    return JSON.stringify({
      source: { repoURL, path: 'deploy', targetRevision: 'main' },
      destination: {
        name: environmentId === undefined ? 'in-cluster' : clusterSecretName(environmentId),
        namespace: namespace.name,
      },
      project: projectName(uid),
      ...more,
    });
  }

  async function credentials(settings: CredentialsSettings): Promise<string> {
    const { host = 'https://cluster.example:6443', token = 'a-token', namespaces = '' } = settings;
    const id = randomUUID();
    const sealed = cipher.seal(token, { table: 'cluster_credentials', column: 'service_account_bearer_token', id });
    await sql`insert into cluster_credentials (id, host, service_account_bearer_token, namespaces, cluster_resources, allow_insecure_skip_tls_verify)
      values (${id}, ${host}, ${sealed}, ${namespaces}, ${settings.clusterResources ?? false}, ${settings.insecure ?? false})`;
    return id;
  }

  return {
    /** Returns the id of the application. */
    async application(settings: ApplicationSettings = {}): Promise<string> {
      const id = randomUUID();
      const environment = 'environmentId' in settings ? (settings.environmentId ?? null) : uid;
      await sql`insert into application (id, name, spec_field, engine_instance_id, managed_environment_id)
        values (${id}, ${applicationName(id)}, ${settings.spec ?? specOf(settings)}, ${instanceId}, ${environment})`;
      await sql`insert into application_owner (application_id, user_id) values (${id}, ${uid})`;
      await sql`insert into deployment_to_application_mapping (id, name, namespace, namespace_uid, application_id)
        values (${id}, ${settings.name ?? 'web'}, ${namespace.name}, ${uid}, ${id})`;
      return id;
    },
    async changeApplication(id: string, settings: ApplicationSettings): Promise<void> {
      await sql`update application set spec_field = ${specOf(settings)}, revision = revision + 1 where id = ${id}`;
    },
    async dropApplication(id: string): Promise<void> {
      await sql`delete from deployment_to_application_mapping where application_id = ${id}`;
      await sql`delete from application_owner where application_id = ${id}`;
      await sql`update sync_operation set application_id = null where application_id = ${id}`;
      await sql`delete from application where id = ${id}`;
    },
    async appliedRevision(id: string): Promise<number | undefined> {
      const [row] = await sql<
        { applied: number }[]
      >`select applied_revision::int as applied from application where id = ${id}`;
      return row?.applied;
    },

    /** Returns the id of the environment. */
    async environment(settings: CredentialsSettings = {}): Promise<string> {
      const id = randomUUID();
      const credentialsId = await credentials(settings);
      await sql`insert into managed_environment (id, name, cluster_credentials_id) values (${id}, 'staging', ${credentialsId})`;
      await sql`insert into cluster_access (user_id, managed_environment_id, gitops_engine_instance_id) values (${uid}, ${id}, ${instanceId})`;
      await sql`insert into api_cr_to_database_mapping values
        ('GitOpsDeploymentManagedEnvironment', ${id}, 'staging', ${namespace.name}, ${uid}, 'ManagedEnvironment', ${id})`;
      return id;
    },
    async rotate(environmentId: string, settings: CredentialsSettings): Promise<void> {
      const credentialsId = await credentials(settings);
      await sql`update managed_environment set cluster_credentials_id = ${credentialsId} where id = ${environmentId}`;
    },
    async dropEnvironment(id: string): Promise<void> {
      await sql`delete from cluster_access where managed_environment_id = ${id}`;
      await sql`delete from api_cr_to_database_mapping where db_relation_key = ${id}`;
      await sql`update application set managed_environment_id = null where managed_environment_id = ${id}`;
      await sql`delete from managed_environment where id = ${id}`;
    },

    /** Returns the id of the credentials. */
    async repositoryCredentials({
      url = 'https://git.example/team/private',
      password = 'a-password',
      sshKey = '',
    } = {}): Promise<string> {
      const id = randomUUID();
      const seal = (column: string, value: string) =>
        value === '' ? null : cipher.seal(value, { table: 'repository_credentials', column, id });
      await sql`insert into repository_credentials (id, user_id, url, auth_username, auth_password, auth_ssh_key, secret_name, engine_instance_id)
        values (${id}, ${uid}, ${url}, ${seal('auth_username', sshKey === '' ? 'somebody' : '')},
          ${seal('auth_password', sshKey === '' ? password : '')}, ${seal('auth_ssh_key', sshKey)}, 'my-secret', ${instanceId})`;
      await sql`insert into api_cr_to_database_mapping values
        ('GitOpsDeploymentRepositoryCredential', ${id}, 'private', ${namespace.name}, ${uid}, 'RepositoryCredential', ${id})`;
      return id;
    },
    async rotateRepository(id: string, column: 'auth_password' | 'auth_ssh_key', value: string): Promise<void> {
      const sealed = cipher.seal(value, { table: 'repository_credentials', column, id });
      await sql`update repository_credentials set ${sql(column)} = ${sealed}, revision = revision + 1 where id = ${id}`;
    },
    async dropRepositoryCredentials(id: string): Promise<void> {
      await sql`delete from api_cr_to_database_mapping where db_relation_key = ${id}`;
      await sql`delete from repository_credentials where id = ${id}`;
    },

    /** A sync whose turn it is. Returns its id. */
    async sync(applicationId: string | null, { revision = 'main' } = {}): Promise<string> {
      const id = randomUUID();
      await sql`insert into sync_operation (id, application_id, deployment_name, revision, desired_state, requested_at, phase)
        values (${id}, ${applicationId}, 'web', ${revision}, 'Running', now(), 'Running')`;
      await sql`insert into api_cr_to_database_mapping values
        ('GitOpsDeploymentSyncRun', ${id}, 'run', ${namespace.name}, ${uid}, 'SyncOperation', ${id})`;
      return id;
    },
    async terminate(syncId: string): Promise<void> {
      await sql`update sync_operation set desired_state = 'Terminated' where id = ${syncId}`;
    },

    /** An Argo CD in that namespace; without an access, of the cluster at hand. Returns its id. */
    async engine(
      place: { readonly name: string; readonly uid: string },
      {
        clusterId,
        transport = 'queue',
        access,
      }: { clusterId: string; transport?: string; access?: CredentialsSettings },
    ): Promise<string> {
      if (access !== undefined)
        await sql`insert into gitops_engine_cluster (id, cluster_credentials_id) values (${clusterId}, ${await credentials(access)})`;
      await sql`insert into gitops_engine_instance (id, namespace_name, namespace_uid, engine_cluster_id, transport)
        values (${place.uid}, ${place.name}, ${place.uid}, ${clusterId}, ${transport})`;
      return place.uid;
    },
    async moveTo(engineId: string, applicationId: string): Promise<void> {
      await sql`update application set engine_instance_id = ${engineId} where id = ${applicationId}`;
      await sql`update cluster_user set engine_instance_id = ${engineId} where id = ${uid}`;
    },

    async operation(id: string) {
      const [row] = await sql<{ state: string; text: string; gc: number }[]>`
        select state, human_readable_state as text, gc_expiration_time as gc from operation where id = ${id}`;
      return row;
    },
    async states(resourceId: string): Promise<string[]> {
      const rows = await sql<
        { state: string }[]
      >`select state from operation where resource_id = ${resourceId} order by seq_id`;
      return rows.map(({ state }) => state);
    },
    async recordedRepositories(): Promise<string[]> {
      const rows = await sql<
        { url: string }[]
      >`select repo_url as url from app_project_repository where cluster_user_id = ${uid} order by 1`;
      return rows.map(({ url }) => url);
    },
  };
}
