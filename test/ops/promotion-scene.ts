import { randomBytes, randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { openCipher } from '../../shared/adapters/postgres/cipher.ts';
import { openReportRows } from '../../shared/adapters/postgres/gitops/report-rows.ts';
import { openPromotionRows } from '../../shared/adapters/postgres/promotions/promotion-rows.ts';
import { openOverlayRows } from '../../shared/adapters/postgres/repositories/overlay-rows.ts';
import type { Report, StoredStep } from '../../shared/domain/promotion/promotion.ts';
import type { PendingOverlay, RepositoryRow } from '../../shared/ports/overlay-rows.ts';
import type { KeptRun } from '../../shared/ports/promotion-rows.ts';
import { writeRows } from '../support/write-rows.ts';

type Said = Omit<Report, 'contains' | 'applicationId' | 'observed' | 'isElsewhere'> & {
  readonly compared?: Readonly<Record<string, string>>;
};

const healthy: Said = {
  sync: 'Synced',
  health: 'Healthy',
  operation: 'Succeeded',
  revision: '',
  trouble: '',
};

/** Promotions and what Argo CD says of deployments, as the functions write it. */
export function openPromotionScene(sql: Sql) {
  const cipher = openCipher({ active: 'k1', keys: { k1: randomBytes(32) } });
  const [rows, reports, overlays] = [openPromotionRows(sql), openReportRows(sql, cipher), openOverlayRows(sql, cipher)];
  const applications = new Map<string, string>();
  let engine: string | undefined;

  async function findEngine(): Promise<string> {
    if (engine !== undefined) return engine;
    const id = randomUUID();
    await sql`insert into cluster_credentials (id, host) values (${id}, 'https://argo.example.com')`;
    await sql`insert into gitops_engine_cluster (id, cluster_credentials_id) values (${id}, ${id})`;
    await sql`insert into gitops_engine_instance (id, namespace_name, namespace_uid, engine_cluster_id)
      values (${id}, 'argocd', ${id}, ${id})`;
    engine = id;
    return id;
  }

  return {
    /** A run that stands in the line. */
    async aRun(namespace: string, name: string, but: Partial<KeptRun> = {}): Promise<KeptRun> {
      const run: KeptRun = {
        uid: randomUUID(),
        namespace,
        name,
        application: 'shop',
        snapshot: 's1',
        isAutomated: false,
        beginsIn: ['stage'],
        cause: '',
        created: Date.parse('2026-01-01T10:00:00Z'),
        waiting: undefined,
        ...but,
      };
      await writeRows(sql, [rows.keep(run)]);
      return run;
    },

    takesTurn: (run: KeptRun, at = run.created) => writeRows(sql, [rows.takeTurn(run, at)]),

    waits: (run: KeptRun, waiting: KeptRun['waiting']) => writeRows(sql, [rows.keep({ ...run, waiting })]),

    ends: (run: KeptRun, result: 'Success' | 'Failure' | 'Deleted', at: number, message = '') =>
      writeRows(sql, rows.end(run.uid, { result, reason: result, message, at })),

    async step(run: KeptRun, environment: string, but: Partial<Omit<StoredStep, 'rendering'>> = {}): Promise<void> {
      const step = {
        environment,
        step: 1,
        binding: `shop-${environment}`,
        status: 'in-progress',
        reason: 'Begun',
        message: '',
        began: run.created,
        ready: undefined,
        ended: undefined,
        commit: '',
        before: '',
        snapshotUid: '',
        evidence: [],
        ...but,
      } as const;
      await writeRows(sql, rows.keepStep(run, step));
    },

    /** The promotions that are told when Argo CD says something of it. */
    async awaiting(applicationId: string): Promise<readonly string[]> {
      const sight = await reports.observe('argocd', applicationId);
      return (sight?.rows.application?.promotions ?? []).map(({ name }) => name);
    },

    /** A commit holds what a Binding wanted, with these components. */
    stands: (repository: RepositoryRow, overlay: PendingOverlay, commit: string, components: readonly string[]) =>
      writeRows(
        sql,
        overlays.rendered(repository, {
          overlay,
          commit,
          results: components.map((component) => ({
            component,
            path: `components/${component}`,
            generatedResources: [],
          })),
        }),
      ),

    /** Argo CD says something of a GitOpsDeployment, which is made where it is not there; made again, where that is said. */
    async says(namespace: string, name: string, said: Partial<Said> = {}, { isNew = false } = {}): Promise<string> {
      const key = `${namespace}/${name}`;
      const known = applications.get(key);
      const id = known === undefined || isNew ? randomUUID() : known;
      if (id !== known) {
        await sql`insert into application (id, name, spec_field, engine_instance_id) values (${id}, ${id}, '{}', ${await findEngine()})`;
        await sql`insert into deployment_to_application_mapping (id, name, namespace, namespace_uid, application_id)
          values (${id}, ${name}, ${namespace}, ${namespace}, ${id})`;
        applications.set(key, id);
      }
      await writeRows(sql, [
        reports.keep(id, '{}', new Date().toISOString(), { compared: undefined, ...healthy, ...said }),
      ]);
      return id;
    },
  };
}

export type PromotionScene = ReturnType<typeof openPromotionScene>;
