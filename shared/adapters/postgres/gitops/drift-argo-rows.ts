import type {
  ApplicationRow,
  ArgoRow,
  ClusterSecretRow,
  DriftRows,
  ProjectRow,
  RepositorySecretRow,
  RowRange,
} from '../../../ports/drift-rows.ts';
import type { Cipher } from '../cipher.ts';
import { tokenOf } from './engine-clusters.ts';

type Parameters = (string | number | string[])[];
type Read = <Row extends object>(text: string, parameters: Parameters) => Promise<Row[]>;

/** Sorts behind every key there can be: a range without an end ends here. */
const end = '\u{10FFFF}';

export function limits({ after, through, most }: RowRange): (string | number)[] {
  return [after, through ?? end, most];
}

interface EnvironmentFields extends ArgoRow {
  readonly credentialsId: string;
  readonly host: string | null;
  readonly sealedToken: Uint8Array | null;
  readonly certificateAuthority: string | null;
  readonly insecure: boolean;
  readonly namespaces: string;
  readonly clusterResources: boolean;
  readonly appliedCredentialsId: string | null;
}

interface CredentialsFields extends ArgoRow {
  readonly userId: string;
  readonly url: string;
  readonly secretName: string;
  readonly revision: number;
  readonly appliedRevision: number;
  readonly username: Uint8Array | null;
  readonly password: Uint8Array | null;
  readonly sshKey: Uint8Array | null;
}

interface ProjectFields extends Omit<ProjectRow, 'environments' | 'inUse'> {
  readonly hasApplications: boolean;
  readonly environments: readonly { readonly id: string; readonly namespaces: string }[];
}

/** What stands beside an Argo CD, as the rows of one range want it. Secrets are opened when they are compared, and not before. */
export function openDriftArgoRows(
  read: Read,
  cipher: Cipher,
): Pick<DriftRows, 'applications' | 'clusterSecrets' | 'repositorySecrets' | 'projects'> {
  return {
    applications: (instanceId, range) => read<ApplicationRow>(applications, [...limits(range), instanceId]),

    async clusterSecrets(instanceId, range) {
      const rows = await read<EnvironmentFields>(clusterSecrets, [...limits(range), instanceId]);
      return rows.map(
        ({ sealedToken, host, certificateAuthority, appliedCredentialsId, ...row }): ClusterSecretRow => ({
          ...row,
          local: false,
          accessible: true,
          host: host ?? '',
          namespaces: listOf(row.namespaces),
          certificateAuthority: certificateAuthority ?? undefined,
          appliedCredentialsId: appliedCredentialsId ?? undefined,
          token: () => (sealedToken === null ? undefined : cipher.open(sealedToken, tokenOf(row.credentialsId))),
        }),
      );
    },

    async repositorySecrets(instanceId, range) {
      const rows = await read<CredentialsFields>(repositorySecrets, [...limits(range), instanceId]);
      return rows.map(({ username, password, sshKey, ...row }): RepositorySecretRow => {
        const open = (column: string, sealed: Uint8Array | null) => () =>
          sealed === null ? undefined : cipher.open(sealed, { table: 'repository_credentials', column, id: row.id });
        return {
          ...row,
          username: open('auth_username', username),
          password: open('auth_password', password),
          sshKey: open('auth_ssh_key', sshKey),
        };
      });
    },

    async projects(instanceId, range) {
      const rows = await read<ProjectFields>(projects, [...limits(range), instanceId]);
      return rows.map(
        ({ hasApplications, environments, ...row }): ProjectRow => ({
          ...row,
          inUse: hasApplications || row.repositories.length > 0 || environments.length > 0,
          environments: environments.map(({ id, namespaces }) => ({ id, namespaces: listOf(namespaces) })),
        }),
      );
    },
  };
}

function listOf(names: string): string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

const created = (column: string): string => `(extract(epoch from ${column}) * 1000)::float8 as created`;

/** An operation about a resource is open: whoever works on it sees what is there. */
const underWay = (type: string, id: string): string =>
  `exists (select from operation o where o.resource_id = ${id} and o.resource_type = '${type}' and o.state in ('Waiting', 'In_Progress')) as "underWay"`;

/** The keys of one range, $1 to $2, at most $3, of the Argo CD $4. */
const inRange = (key: string): string =>
  `${key} collate "C" > $1 and ${key} collate "C" <= $2 order by ${key} collate "C" limit $3`;

const applications = `
  select a.id, coalesce(m.namespace, u.display_name, '') as namespace, ${created('a.created_on')}, ${underWay('Application', 'a.id')},
    coalesce(u.id, '') as "userId", a.spec_field as spec, a.managed_environment_id is not null as valid
  from application a
  left join deployment_to_application_mapping m on m.application_id = a.id
  left join lateral (select u.id, u.display_name from application_owner w join cluster_user u on u.id = w.user_id
                     where w.application_id = a.id order by w.seq_id limit 1) u on true
  where a.engine_instance_id = $4 and ${inRange('a.id')}`;

const clusterSecrets = `
  select m.id, coalesce(u.display_name, '') as namespace, ${created('m.created_on')}, ${underWay('ManagedEnvironment', 'm.id')},
    c.id as "credentialsId", c.host, c.service_account_bearer_token as "sealedToken",
    c.certificate_authority as "certificateAuthority", c.allow_insecure_skip_tls_verify as insecure, c.namespaces,
    c.cluster_resources as "clusterResources", s.applied_credentials_id as "appliedCredentialsId"
  from cluster_access s
  join managed_environment m on m.id = s.managed_environment_id
  join cluster_credentials c on c.id = m.cluster_credentials_id
  join cluster_user u on u.id = s.user_id
  where s.gitops_engine_instance_id = $4 and not c.local and ${inRange('m.id')}`;

const repositorySecrets = `
  select r.id, coalesce(u.display_name, '') as namespace, ${created('r.created_on')}, ${underWay('RepositoryCredentials', 'r.id')},
    r.user_id as "userId", r.url, r.secret_name as "secretName", r.revision::int as revision,
    r.applied_revision::int as "appliedRevision", r.auth_username as username, r.auth_password as password, r.auth_ssh_key as "sshKey"
  from repository_credentials r join cluster_user u on u.id = r.user_id
  where r.engine_instance_id = $4 and ${inRange('r.id')}`;

// Like shared/adapters/postgres/gitops/operation-query.ts, for many tenants at once.
const projects = `
  select u.id, u.id as "userId", coalesce(u.display_name, '') as namespace, ${created('u.created_on')},
    exists (select from operation o where o.owner_user_id = u.id and o.state in ('Waiting', 'In_Progress'))
      or ${underWay('ManagedEnvironment', 'u.id')},
    p.digest is not null as recorded,
    exists (select from application_owner w where w.user_id = u.id) as "hasApplications",
    array(select x.url from (
        select a.spec_field::jsonb #>> '{source,repoURL}' as url from application_owner w join application a on a.id = w.application_id
        where w.user_id = u.id and a.spec_field is json object
        union select r.url from repository_credentials r where r.user_id = u.id) x
      where x.url <> '') as repositories,
    (select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'namespaces', c.namespaces) order by m.id), '[]')
     from managed_environment m join cluster_credentials c on c.id = m.cluster_credentials_id and not c.local
     where m.id in (
       select x.managed_environment_id from cluster_access x where x.user_id = u.id and x.gitops_engine_instance_id = $4
       union select e.managed_environment_id from app_project_managed_environment e where e.cluster_user_id = u.id)) as environments
  from cluster_user u
  left join argo_project p on p.cluster_user_id = u.id and p.engine_instance_id = $4
  where (u.engine_instance_id = $4 or p.digest is not null) and ${inRange('u.id')}`;
