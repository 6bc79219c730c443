import { randomUUID } from 'node:crypto';
import { openCluster } from '../../../../shared/adapters/kubernetes/open-cluster.ts';
import type { GitOpsDeployment } from '../../../../shared/contracts/kubernetes/gitops-deployment.ts';
import { gitOpsDeployments } from '../../../../shared/contracts/kubernetes/kinds.ts';
import { inWords } from '../../../../shared/domain/core/subject.ts';
import type { Delivery } from '../../../../shared/ports/queue.ts';
import type { Outcome } from '../../../../shared/runtime/outcome.ts';
import type { GitOpsWorld } from '../../../support/gitops-world.ts';

const own = 'reconcile-gitops-deployment';

/** The steps of deployments alone: nobody else moves, so that every row and every object is the work of one function. */
export function openDeploymentSteps(world: GitOpsWorld) {
  const { sql, queue, machine, cluster } = world;
  /** What was sent to others. */
  const toOthers: Delivery[] = [];

  async function run({ message, from, pending, attempt }: Delivery): Promise<Outcome> {
    const door = world.functions.get(own);
    if (door === undefined) throw new Error(`the map has no function ${own}`);
    return door.handle(
      {
        specversion: '1.0',
        id: message.id,
        source: `/functions/${from}`,
        type: message.type,
        subject: inWords(message.subject),
        time: new Date().toISOString(),
        data: message.subject,
        ...(pending && { pending: 'true' }),
        ...(attempt !== undefined && { attempt }),
      },
      { receives: 1, covered: 0 },
      machine,
    );
  }

  async function settle(): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (;;) {
      const delivery = queue.sent.shift();
      if (delivery === undefined) return outcomes;
      if (delivery.message.function === own) outcomes.push(await run(delivery));
      else toOthers.push(delivery);
      if (outcomes.length > 50) throw new Error(`it does not settle: ${JSON.stringify(outcomes.slice(-3))}`);
    }
  }

  return {
    toOthers,
    settle,
    run,
    /** The admin's hands without anybody noticing. */
    unnoticed: openCluster({ connection: world.bare }),
    /** An operator's knock, and what comes of it. */
    async look(namespace: string, name: string): Promise<Outcome[]> {
      world.knock('gitops-deployment.changed.v1', { namespace, name });
      return settle();
    },
    async create(namespace: string, name: string, spec: object = {}, metadata: object = {}) {
      const object = await cluster.create(gitOpsDeployments, {
        metadata: { namespace, name, ...metadata },
        spec: { ...aSpec, ...spec },
      });
      await settle();
      return object;
    },
    async change(namespace: string, name: string, patch: object): Promise<void> {
      await cluster.patch(gitOpsDeployments, { namespace, name }, patch);
      await settle();
    },
    async remove(namespace: string, name: string): Promise<void> {
      await cluster.remove(gitOpsDeployments, { namespace, name });
      await settle();
    },
    read: (namespace: string, name: string) => cluster.read(gitOpsDeployments, { namespace, name }),
    async conditions(namespace: string, name: string) {
      const found = await cluster.read(gitOpsDeployments, { namespace, name });
      return (found?.status?.conditions ?? []).map(({ type, status, reason, message }) => ({
        type,
        status,
        reason,
        message,
      }));
    },
    async application(id: string): Promise<StoredRow | undefined> {
      const [row] = await sql<StoredRow[]>`select * from application where id = ${id}`;
      return row;
    },
    /** Everything that is stored under a namespace and a name. */
    mappings: (namespace: string, name: string) =>
      sql<{ id: string; application_id: string; namespace_uid: string }[]>`
        select * from deployment_to_application_mapping where namespace = ${namespace} and name = ${name} order by seq_id`,
    operations: (id: string) =>
      sql<{ state: string; instance_id: string; owner_user_id: string; resource_type: string }[]>`
        select * from operation where resource_id = ${id} order by seq_id`,
    /** As the side of Argo CD would end them; its knock comes with it. */
    async endOperations(namespace: string, name: string, id: string, state: 'Completed' | 'Failed', text = '') {
      await sql`update operation set state = ${state}, human_readable_state = ${text}, last_state_update = now()
                where resource_id = ${id} and state in ('Waiting', 'In_Progress')`;
      world.knock('gitops-deployment.changed.v1', { namespace, name });
      return settle();
    },
    /** The rows of an environment, as if its cluster had been reached. */
    async environment(namespace: { name: string; uid: string }, name: string, namespaces = ''): Promise<string> {
      const id = randomUUID();
      const credentials = randomUUID();
      await sql`insert into cluster_credentials (id, host, namespaces) values (${credentials}, 'https://127.0.0.1:1', ${namespaces})`;
      await sql`insert into managed_environment (id, name, cluster_credentials_id) values (${id}, ${name}, ${credentials})`;
      await sql`insert into api_cr_to_database_mapping (api_resource_type, api_resource_uid, api_resource_name,
          api_resource_namespace, api_resource_namespace_uid, db_relation_type, db_relation_key)
        values ('GitOpsDeploymentManagedEnvironment', ${id}, ${name}, ${namespace.name}, ${namespace.uid}, 'ManagedEnvironment', ${id})`;
      return id;
    },
    /** A mark of every table of ours that anybody's write changes: equal means that nobody wrote anything. */
    async rows(): Promise<Record<string, unknown>> {
      const marks = written.map(async (table) => {
        const [row] = await sql.unsafe(
          `select md5(string_agg(xmin::text || t::text, ' ' order by t::text)) from ${table} t`,
        );
        return [table, row?.['md5']];
      });
      return Object.fromEntries(await Promise.all(marks)) as Record<string, unknown>;
    },
  };
}

const written = [
  'application',
  'application_owner',
  'application_state',
  'deployment_to_application_mapping',
  'deployment_trouble',
  'operation',
  'sync_operation',
  'cluster_user',
  'cluster_access',
  'cluster_credentials',
  'managed_environment',
  'gitops_engine_cluster',
  'gitops_engine_instance',
  'kubernetes_to_db_resource_mapping',
  'api_cr_to_database_mapping',
  'knock',
  'wakeup',
  'ledger',
];

interface StoredRow {
  readonly id: string;
  readonly name: string;
  readonly spec_field: string;
  readonly engine_instance_id: string;
  readonly managed_environment_id: string | null;
  readonly revision: string;
}

export type DeploymentSteps = ReturnType<typeof openDeploymentSteps>;

export const aSpec = {
  source: { repoURL: 'https://example.com/team/shop', path: 'deploy', targetRevision: 'main' },
  type: 'automated',
} as const satisfies Partial<GitOpsDeployment['spec']>;
