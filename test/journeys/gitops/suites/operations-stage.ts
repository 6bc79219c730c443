import { randomBytes, randomUUID } from 'node:crypto';
import { openCluster } from '../../../../shared/adapters/kubernetes/open-cluster.ts';
import { openCipher } from '../../../../shared/adapters/postgres/cipher.ts';
import { openOperationRows } from '../../../../shared/adapters/postgres/gitops/operation-rows.ts';
import { requestOperation } from '../../../../shared/adapters/postgres/gitops/request-operation.ts';
import {
  appProjects,
  argoApplications,
  namespaces,
  operations,
  secrets,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { Subject } from '../../../../shared/domain/core/subject.ts';
import {
  applicationName,
  clusterSecretName,
  type OperationType,
  operationName,
  operationSubject,
  projectName,
  repositorySecretName,
} from '../../../../shared/domain/gitops/names.ts';
import type { Cluster, ClusterAccess } from '../../../../shared/ports/cluster.ts';
import type { StepRecord } from '../../../../shared/ports/journal.ts';
import type { Machine } from '../../../../shared/runtime/machine.ts';
import { argoNamespace, type GitOpsWorld } from '../../../support/gitops-world.ts';
import { writeRows } from '../../../support/write-rows.ts';
import { operationRowsOf } from './operations-rows.ts';

/** What one look of apply-operation came to. */
export interface Look {
  /** What it did, in words without ids: `create-application`. */
  readonly did: readonly string[];
  /** Whom it woke: `gitops-deployment.changed.v1 web`. */
  readonly woke: readonly string[];
  readonly reason: string | undefined;
  readonly outcome: string;
  /** The requests that it made of the API server. */
  readonly asked: readonly string[];
}

export const repository = 'https://git.example/team/app';

/** A tenant with apply-operation as the only function that runs. The test plays the others by the rows they would leave. */
export async function openOperationStage(world: GitOpsWorld) {
  const { sql } = world;
  const namespace = await world.namespace();
  const cluster = openCluster({ connection: world.bare });
  const cipher = openCipher({ active: 'k1', keys: { k1: randomBytes(32) } });
  const uidOf = async (name: string): Promise<string> =>
    (await cluster.read(namespaces, { namespace: '', name }))?.metadata.uid ?? '';
  const [clusterId, instanceId] = [await uidOf('kube-system'), await uidOf(argoNamespace)];
  const tenant = { namespace: namespace.name, namespaceUid: namespace.uid };
  await writeRows(
    sql,
    world.world.tenants.place(tenant, {
      instanceId,
      namespace: argoNamespace,
      clusterId,
      local: true,
      transport: 'queue',
      acceptsTenants: true,
      tenants: 0,
    }),
  );
  const rows = operationRowsOf({ sql, cipher, namespace, instanceId });

  async function run(type: string, subject: Subject, laterSeconds: number): Promise<Look> {
    const door = world.functions.get('apply-operation');
    if (door === undefined) throw new Error('the map has no apply-operation');
    const records: StepRecord[] = [];
    const { journal, clock } = world.machine;
    const machine: Machine = {
      ...world.machine,
      world: {
        ...world.machine.world,
        operations: openOperationRows(sql, cipher),
        clusters: { local: world.machine.world.clusters.local, at: (access) => stage.at(access) },
      },
      clock: { ...clock, now: () => clock.now() + laterSeconds * 1_000 },
      journal: {
        ...journal,
        finish(record, writes) {
          records.push(record);
          return journal.finish(record, writes);
        },
      },
    };
    const before = world.connection.asked.length;
    const event = {
      specversion: '1.0',
      id: randomUUID(),
      source: '/functions/test',
      type,
      subject: `${subject.namespace}/${subject.name}`,
      time: new Date().toISOString(),
      data: subject,
    };
    const outcome = await door.handle(event, { receives: 1, covered: 0 }, machine);
    const asked = world.connection.asked.slice(before);
    // What the other functions make of it is not this suite's business.
    world.queue.sent.length = 0;
    const last = records.at(-1);
    return {
      did: (last?.effects ?? []).map((effect) => effect.do),
      woke: (last?.knocks ?? []).map((knock) => `${knock.type} ${knock.subject.name}`),
      reason: last?.reason,
      outcome: outcome.kind,
      asked: asked
        .filter(({ path }) => !path.startsWith('/api/v1/namespaces/kube-system') && !/namespaces\/[^/]+$/.test(path))
        .map(({ method, path }) => `${method} ${path.split('/').at(-1)?.split('?')[0]}`),
    };
  }

  const stage = {
    ...rows,
    /** How another cluster is reached. */
    at: (access: ClusterAccess): Cluster => world.machine.world.clusters.at(access),
    clusterId,
    namespace,
    instanceId,
    cluster,

    /** The row of an operation. Returns its id. */
    async request(
      type: OperationType,
      resourceId: string,
      {
        repair = false,
        deploymentName,
        instance = instanceId,
      }: { repair?: boolean; deploymentName?: string; instance?: string } = {},
    ): Promise<string> {
      const ownerUserId = repair ? undefined : namespace.uid;
      await writeRows(sql, [requestOperation({ type, resourceId, instanceId: instance, ownerUserId, deploymentName })]);
      const [row] = await sql<{ id: string }[]>`
        select id from operation where resource_id = ${resourceId} and state = 'Waiting' order by seq_id desc limit 1`;
      return row?.id ?? '';
    },
    /** apply-operation looks at a resource, at this moment or some seconds later. */
    look: (type: OperationType, resourceId: string, laterSeconds = 0): Promise<Look> =>
      run('operation.requested.v1', operationSubject(namespace.name, type, resourceId), laterSeconds),
    lookAtObject: (at: string, name: string): Promise<Look> => run('operation.changed.v1', { namespace: at, name }, 0),
    async apply(type: OperationType, resourceId: string, options = {}): Promise<Look> {
      await stage.request(type, resourceId, options);
      const first = await stage.look(type, resourceId);
      if (first.reason !== 'NewsSpreads') return first;
      // Argo CD was told of a Secret, and is told once more when it has seen it.
      const second = await stage.look(type, resourceId);
      const did = [...first.did.filter((what) => what !== 'begin-operation'), ...second.did];
      return { ...second, did, asked: [...first.asked, ...second.asked] };
    },

    argoApplication: (id: string) =>
      cluster.read(argoApplications, { namespace: argoNamespace, name: applicationName(id) }),
    project: () => cluster.read(appProjects, { namespace: argoNamespace, name: projectName(namespace.uid) }),
    clusterSecret: (id: string) => stage.secret(clusterSecretName(id)),
    repositorySecret: (id: string) => stage.secret(repositorySecretName(id)),
    /** Its values in clear. */
    async secret(name: string) {
      const found = await cluster.read(secrets, { namespace: argoNamespace, name });
      if (found === undefined) return undefined;
      const values = Object.entries(found.data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]);
      return { metadata: found.metadata, values: Object.fromEntries(values) as Record<string, string> };
    },
    async createObject(at: string, operationId: string): Promise<void> {
      const metadata = { namespace: at, name: operationName(operationId) };
      await cluster.create(operations, { metadata, spec: { operationID: operationId } });
    },
    operationObject: (at: string, operationId: string) =>
      cluster.read(operations, { namespace: at, name: operationName(operationId) }),
    /** Argo CD lets go of an Application. */
    letGo: (id: string) =>
      cluster.patch(
        argoApplications,
        { namespace: argoNamespace, name: applicationName(id) },
        { metadata: { finalizers: null } },
      ),
    patchArgo: (id: string, patch: object) =>
      cluster.patch(argoApplications, { namespace: argoNamespace, name: applicationName(id) }, patch),
  };
  return stage;
}

export type OperationStage = Awaited<ReturnType<typeof openOperationStage>>;
