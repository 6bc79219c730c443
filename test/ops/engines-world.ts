import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installArgoCd } from '../../infra/embedded/argo-cd/install/install-argo-cd.ts';
import { startEmbeddedKubernetes } from '../../infra/embedded/kubernetes/start-embedded-kubernetes.ts';
import { runEnginesAdd } from '../../scripts/ops/engines-add.ts';
import { openContext } from '../../scripts/ops/open-context.ts';
import { connectCluster } from '../../shared/adapters/kubernetes/connection.ts';
import { openWorld } from './world.ts';

/** An operator with an Argo CD in the own cluster (`own-argo`, rows alone), and another cluster that has one, too. */
export async function openEngineWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'stagecoach-engines-'));
  const keys = join(folder, 'keys');
  writeFileSync(keys, `k1:${randomBytes(32).toString('base64')}\n`);
  const world = await openWorld();
  const { sql } = world;
  const cluster = await startEmbeddedKubernetes({ folder: join(folder, 'east') });
  const connection = connectCluster({ kubeconfigPath: cluster.kubeconfigFile, now: Date.now });
  await installArgoCd(connection, 'argocd', AbortSignal.timeout(20_000));
  const empty = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'empty' } };
  await connection.request('/api/v1/namespaces', { method: 'POST', body: empty });
  await connection.close();
  const settings: Record<string, string> = { ...world.settings, CREDENTIAL_KEYS_FILE: keys };
  const plans: string[] = [];
  const { context, close } = openContext(settings, {
    who: 'olga',
    approve: async (plan) => {
      plans.push(plan);
    },
  });
  await sql`insert into cluster_credentials (id, local) values ('local', true)`;
  await sql`insert into gitops_engine_cluster (id, cluster_credentials_id) values ('own-cluster', 'local')`;
  await sql`insert into gitops_engine_instance (id, namespace_name, namespace_uid, engine_cluster_id)
    values ('own-argo', 'argocd', 'own-argo', 'own-cluster')`;

  return {
    sql,
    cluster,
    settings,
    keys,
    context,
    plans,
    census: () => world.census(),

    add: (but: Parameters<typeof runEnginesAdd>[1] = {}) =>
      runEnginesAdd(context, { kubeconfig: cluster.kubeconfigFile, namespace: 'argocd', ...but }),

    /** The kubeconfig of the cluster with one thing changed. */
    kubeconfig(change: (text: string) => string): string {
      const file = join(folder, `kubeconfig-${randomBytes(4).toString('hex')}`);
      writeFileSync(file, change(readFileSync(cluster.kubeconfigFile, 'utf8')));
      return file;
    },

    /** A tenant of the own Argo CD. */
    async tenant(): Promise<{ readonly name: string; readonly uid: string }> {
      const name = `team-${randomBytes(4).toString('hex')}`;
      const uid = `uid-of-${name}`;
      await sql`insert into cluster_user (id, user_name, display_name, engine_instance_id) values (${uid}, ${uid}, ${name}, 'own-argo')`;
      await sql`insert into managed_environment (id, name, cluster_credentials_id) values (${uid}, 'own', 'local')`;
      await sql`insert into cluster_access (user_id, managed_environment_id, gitops_engine_instance_id) values (${uid}, ${uid}, 'own-argo')`;
      return { name, uid };
    },

    /** Something of the tenant beside the own Argo CD. */
    async giveCredential(uid: string): Promise<void> {
      await sql`insert into repository_credentials (id, user_id, url, secret_name, engine_instance_id)
        values (${`cred-${uid}`}, ${uid}, 'https://git.example.com/r', 'creds', 'own-argo')`;
    },

    async engineOf(uid: string): Promise<unknown> {
      return (await sql`select engine_instance_id as id from cluster_user where id = ${uid}`)[0]?.['id'];
    },

    async close(): Promise<void> {
      await close();
      await cluster.stop();
      await world.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type EngineWorld = Awaited<ReturnType<typeof openEngineWorld>>;
