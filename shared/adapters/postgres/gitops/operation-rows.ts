import { createHash } from 'node:crypto';
import type { Sql } from 'postgres';
import type { EnvironmentRow } from '../../../domain/gitops/cluster-secret.ts';
import type { OperationType } from '../../../domain/gitops/names.ts';
import type {
  ApplicationRow,
  EngineRow,
  OperationRow,
  OperationSight,
  ResourceRow,
  SyncOperationRow,
  TenantRow,
} from '../../../domain/gitops/operation.ts';
import type { CredentialsRow } from '../../../domain/gitops/repository-secret.ts';
import type { NamedOperation, OperationRows, OperationTarget } from '../../../ports/operation-rows.ts';
import type { Cipher } from '../cipher.ts';
import { asked } from '../translate.ts';
import { operationQuery } from './operation-query.ts';
import { recordOperation } from './record-operation.ts';

/** As Postgres gives it: null for what is not there, sealed values in base64. */
interface Answer {
  readonly operations: readonly (Omit<OperationRow, 'ownerUserId'> & { readonly ownerUserId: string | null })[] | null;
  readonly elsewhere: boolean;
  readonly failedBefore: boolean | null;
  readonly apiName: string | null;
  readonly dependents: readonly string[] | null;
  readonly engine: Raw | null;
  readonly tenant: Raw | null;
  readonly row: Raw | null;
  readonly rowInstanceId: string | null;
}

type Raw = Readonly<Record<string, never>>;

interface FencedRow {
  readonly id: string;
  readonly namespaces: string;
}

export function openOperationRows(sql: Sql, cipher: Cipher): OperationRows {
  const queries = new Map<OperationType, string>();

  async function ask<Row>(text: string, parameters: readonly (string | null)[]): Promise<readonly Row[]> {
    return asked('read', async () => {
      return await sql.unsafe<Row[] & Record<string, unknown>[]>(text, [...parameters], { prepare: true });
    });
  }

  return {
    async find(operationId) {
      // Anybody may write an Operation object. No row has a key that Postgres could not even be asked for.
      if (operationId.includes('\u0000')) return undefined;
      const [row] = await ask<NamedOperation>(
        `select o.resource_type as "type", o.resource_id as "resourceId", o.instance_id as "instanceId",
           e.namespace_name as "engineNamespace", e.transport = 'agent' as "byAgent", o.state in ('Completed', 'Failed') as ended,
           coalesce(u.display_name, '') as namespace
         from operation o join gitops_engine_instance e on e.id = o.instance_id
         left join cluster_user u on u.id = o.owner_user_id where o.id = $1`,
        [operationId],
      );
      return row;
    },

    async observe(target) {
      const text = queries.get(target.type) ?? operationQuery(target.type);
      queries.set(target.type, text);
      const { type, resourceId, instanceId, namespace } = target;
      const [answer] = await ask<{ sight: Answer }>(text, [type, resourceId, instanceId ?? null, namespace]);
      return answer === undefined ? undefined : readAnswer(answer.sight, target, cipher);
    },

    digest: (text) => createHash('sha256').update(text).digest('base64url'),
    record: recordOperation,
  };
}

function readAnswer(answer: Answer, target: OperationTarget, cipher: Cipher): OperationSight | undefined {
  if (answer.engine === null) return undefined;
  const engine = readEngine(answer.engine, cipher);
  // What is placed beside another Argo CD has no business beside this one.
  const here = answer.row !== null && (answer.rowInstanceId ?? engine.instanceId) === engine.instanceId;
  return {
    resourceId: target.resourceId,
    operations: (answer.operations ?? []).map(({ ownerUserId, ...row }) => ({
      ...row,
      ...(ownerUserId !== null && { ownerUserId }),
    })),
    elsewhere: answer.elsewhere,
    failedBefore: answer.failedBefore ?? false,
    ...(answer.apiName !== null && { apiName: answer.apiName }),
    dependents: answer.dependents ?? [],
    engine,
    ...(answer.tenant !== null && { tenant: readTenant(answer.tenant) }),
    resource: readResource(target.type, here ? answer.row : null, cipher),
  };
}

function readEngine(raw: Raw, cipher: Cipher): EngineRow {
  return {
    ...withoutNulls<Omit<EngineRow, 'token'>>(raw),
    host: raw['host'] ?? '',
    token: unsealed(cipher, 'cluster_credentials', 'service_account_bearer_token', raw['credentialsId'], raw['token']),
  };
}

function readTenant(raw: Raw): TenantRow {
  const repositories: readonly string[] = raw['repositories'] ?? [];
  const leaving = raw['leaving'] === true;
  const left: readonly (FencedRow & { used: boolean })[] = raw['leftEnvironments'] ?? [];
  const standing: readonly FencedRow[] = raw['environments'] ?? [];
  const environments = [...standing, ...left.filter(({ used }) => used || leaving)];
  return {
    userId: raw['userId'] ?? '',
    namespace: raw['namespace'] ?? '',
    repositories,
    recordedRepositories: raw['recordedRepositories'] ?? [],
    environments: environments.map(({ id, namespaces }) => ({ id, namespaces: listOf(namespaces) })),
    ...(raw['digest'] !== null && { digest: raw['digest'] }),
    inUse: raw['inUse'] === true || leaving || repositories.length > 0 || environments.length > 0,
    leaving,
    deployedTo: left.filter(({ used }) => used).map(({ id }) => id),
  };
}

function readResource(type: OperationType, raw: Raw | null, cipher: Cipher): ResourceRow {
  if (raw === null) return { type };
  switch (type) {
    case 'Application': {
      const { environment, ...row } = withoutNulls<Omit<ApplicationRow, 'environment'> & { environment?: Raw }>(raw);
      return {
        type,
        row: { ...row, ...(environment !== undefined && { environment: readEnvironment(environment, cipher) }) },
      };
    }
    case 'ManagedEnvironment':
      return { type, row: readEnvironment(raw, cipher) };
    case 'RepositoryCredentials':
      return { type, row: readCredentials(raw, cipher) };
    case 'SyncOperation':
      return { type, row: withoutNulls<SyncOperationRow>(raw) };
    case 'GitOpsEngineInstance':
      return { type };
  }
}

function readEnvironment(raw: Raw, cipher: Cipher): EnvironmentRow {
  return {
    ...withoutNulls<Omit<EnvironmentRow, 'token'>>(raw),
    host: raw['host'] ?? '',
    namespaces: listOf(raw['namespaces'] ?? ''),
    token: unsealed(cipher, 'cluster_credentials', 'service_account_bearer_token', raw['credentialsId'], raw['token']),
  };
}

function readCredentials(raw: Raw, cipher: Cipher): CredentialsRow {
  const open = (column: string, sealed: string | null | undefined) =>
    unsealed(cipher, 'repository_credentials', column, raw['id'], sealed);
  return {
    ...withoutNulls<Omit<CredentialsRow, 'username' | 'password' | 'sshKey'>>(raw),
    username: open('auth_username', raw['username']),
    password: open('auth_password', raw['password']),
    sshKey: open('auth_ssh_key', raw['sshKey']),
  };
}

/** Opened when it is needed: whoever only wants to know what would be done needs no keys. */
function unsealed(
  cipher: Cipher,
  table: string,
  column: string,
  id: string | undefined,
  sealed: string | null | undefined,
): () => string | undefined {
  if (sealed === null || sealed === undefined) return () => undefined;
  return () => cipher.open(Buffer.from(sealed, 'base64'), { table, column, id: id ?? '' });
}

function withoutNulls<Row>(raw: Raw): Row {
  return Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null)) as Row;
}

function listOf(names: string): string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
