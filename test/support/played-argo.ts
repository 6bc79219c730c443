import { randomUUID } from 'node:crypto';
import { argoApplications, gitOpsDeployments, namespaces } from '../../shared/contracts/kubernetes/kinds.ts';
import type { Subject } from '../../shared/domain/core/subject.ts';
import { applicationName } from '../../shared/domain/gitops/names.ts';
import type { Outcome } from '../../shared/runtime/outcome.ts';
import type { World } from '../../shared/runtime/world.ts';
import { argoNamespace, type GitOpsWorld } from './gitops-world.ts';
import { writeRows } from './write-rows.ts';

/** A deployment with its rows and its Application, as the other functions leave them, and a test in the place of Argo CD. */
export interface PlayedDeployment {
  readonly id: string;
  readonly namespace: { readonly name: string; readonly uid: string };
  readonly key: { readonly namespace: string; readonly name: string };
  readonly application: { readonly namespace: string; readonly name: string };
  /** Writes the status of the Application; what it says is merged into what it said. */
  says(status: object): Promise<void>;
  /** The status of the GitOpsDeployment. */
  told(): Promise<Record<string, unknown>>;
}

export async function playDeployment(
  world: GitOpsWorld,
  but: { readonly row?: false } = {},
): Promise<PlayedDeployment> {
  const namespace = await world.namespace();
  const created = await world.cluster.create(gitOpsDeployments, {
    metadata: { namespace: namespace.name, name: 'web' },
    spec: { source: { repoURL: 'https://git.example/guestbook', path: 'deploy' }, type: 'automated' },
  });
  const id = created.metadata.uid;
  const key = { namespace: namespace.name, name: 'web' };
  const application = { namespace: argoNamespace, name: applicationName(id) };
  const instanceId = await placeTenant(world, namespace);
  if (but.row !== false) {
    const { sql } = world;
    await sql`insert into application (id, name, spec_field, engine_instance_id, managed_environment_id, applied_revision)
      values (${id}, ${application.name}, '{}', ${instanceId}, ${namespace.uid}, 1)`;
    await sql`insert into deployment_to_application_mapping (id, name, namespace, namespace_uid, application_id)
      values (${id}, 'web', ${namespace.name}, ${namespace.uid}, ${id})`;
    await sql`insert into application_owner (application_id, user_id) values (${id}, ${namespace.uid})`;
  }
  await world.cluster.create(argoApplications, {
    metadata: { ...application, labels: { databaseID: id } },
    spec: {
      project: 'none',
      source: { repoURL: 'https://git.example/guestbook', path: 'deploy' },
      destination: { name: 'in-cluster', namespace: namespace.name },
    },
  });
  return {
    id,
    namespace,
    key,
    application,
    async says(status) {
      await world.cluster.patch(argoApplications, application, { status });
    },
    async told() {
      const deployment = await world.cluster.read(gitOpsDeployments, key);
      return (deployment?.status ?? {}) as Record<string, unknown>;
    },
  };
}

/** The rows of a tenant; returns the id of its Argo CD. */
async function placeTenant(
  world: GitOpsWorld,
  namespace: { readonly name: string; readonly uid: string },
): Promise<string> {
  const [system, argo] = await Promise.all(
    ['kube-system', argoNamespace].map((name) => world.cluster.read(namespaces, { namespace: '', name })),
  );
  if (system === undefined || argo === undefined) throw new Error('the cluster has no kube-system or no Argo CD');
  const writes = world.world.tenants.place(
    { namespace: namespace.name, namespaceUid: namespace.uid },
    {
      instanceId: argo.metadata.uid,
      namespace: argoNamespace,
      clusterId: system.metadata.uid,
      local: true,
      transport: 'queue',
      acceptsTenants: true,
      tenants: 0,
    },
  );
  await writeRows(world.sql, writes);
  return argo.metadata.uid;
}

/** One step of report-status about an Application, without anybody else being woken. */
export async function report(world: GitOpsWorld, subject: Subject, but: Partial<World> = {}): Promise<Outcome> {
  const door = world.functions.get('report-status');
  if (door === undefined) throw new Error('the map has no report-status');
  const event = {
    specversion: '1.0',
    id: randomUUID(),
    source: '/functions/test',
    type: 'argo-application.changed.v1',
    subject: `${subject.namespace}/${subject.name}`,
    time: new Date().toISOString(),
    data: subject,
  };
  const machine = { ...world.machine, world: { ...world.world, ...but } };
  return door.handle(event, { receives: 1, covered: 0 }, machine);
}

/** What report-status would do. */
export async function rehearse(world: GitOpsWorld, subject: Subject) {
  const { step } =
    (await world.functions.get('report-status')?.rehearse(subject, { now: Date.now() }, world.machine)) ?? {};
  if (step === undefined) throw new Error('report-status has nothing to look at');
  return step;
}
