import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { mapFile } from '../../../infra/map.ts';
import { openCluster } from '../../../shared/adapters/kubernetes/open-cluster.ts';
import {
  applications,
  bindings,
  components,
  environments,
  namespaces,
  promotionRuns,
  secrets,
  snapshots,
} from '../../../shared/contracts/kubernetes/kinds.ts';
import { secretTypes } from '../../../shared/contracts/kubernetes/metadata-keys.ts';
import type { Cluster } from '../../../shared/ports/cluster.ts';
import { type ArgoGit, startArgoGit } from '../../support/argo-repository.ts';
import { openEmbeddedArgoCluster } from '../../support/gitops-journey.ts';
import { type HostProcess, openWorld, startHostProcess, type World } from '../../support/host-process.ts';
import { standBetween } from '../../support/killed-host.ts';
import { listObjects } from '../../support/list-objects.ts';
import { describeWithGit } from '../../support/needs-git.ts';
import { until } from '../../support/until.ts';

// A life takes two or three seconds; a busy machine was seen to need ten times as many.
vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 60_000 });
const patienceMs = 90_000;

/**
 * What a call changes; undefined: nothing. Whoever dies over a read has left what whoever dies after the change before it has.
 * Names that are given by chance are left out.
 */
function changeOf(call: string): string | undefined {
  const tables = call.match(/(?<=insert into |\bupdate |delete from )(?!set\b)\w+|finish_step|begin_steps/g);
  if (tables !== null) return [...new Set(tables)].sort().join(' ');
  if (!/^(POST|PUT|PATCH|DELETE) |^\w+Message/.test(call)) return undefined;
  return call
    .replace(/\?.*/, '')
    .replace(/(?<=namespaces\/)[^/]+/, '*')
    .replace(/[\da-f]{8}(-[\da-f-]{27})?\b/, '*');
}

describeWithGit('the host that works on a promotion, killed by the system', () => {
  let folder: string;
  let argo: Awaited<ReturnType<typeof openEmbeddedArgoCluster>>;
  let git: ArgoGit;
  let cluster: Cluster;
  let world: World;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stagecoach-killed-'));
    // What a crash leaves behind is swept up every second instead of every five.
    const hastyMap = join(folder, 'serverless.yml');
    writeFileSync(hastyMap, readFileSync(mapFile, 'utf8').replace('*/5 * * * * *', '* * * * * *'));
    argo = await openEmbeddedArgoCluster();
    cluster = openCluster({ connection: argo.connection });
    git = await startArgoGit(join(folder, 'git'));
    writeFileSync(join(folder, 'git-token'), git.writeToken, { mode: 0o600 });
    const settings = {
      KUBECONFIG: argo.cluster.kubeconfigFile,
      ARGO_CD_NAMESPACE: argo.argoNamespace,
      GIT_ROOT_URL: git.server.url,
      GIT_TOKEN_FILE: join(folder, 'git-token'),
      GIT_CACHE_FOLDER: join(folder, 'clones'),
    };
    world = await openWorld(settings, hastyMap);
  });
  afterAll(async () => {
    await world?.close();
    await git?.stop();
    await argo?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('over every change that it makes, before and after it, one host after another: every snapshot comes through', async () => {
    const places = new Set<string>();
    let deaths: number;
    do {
      deaths = places.size;
      const namespace = await openShop();
      await withHost(() => untilReady(namespace));
      await release(namespace);
      const way = { bindings: 0 };
      while (await diesOverSomethingNew(namespace, places, way));

      await withHost(() => untilEnded(namespace));
      await hasComeThrough(namespace);
    } while (places.size > deaths);

    // By how many of the two Bindings are made by then.
    const changes = [
      [0, 'SendMessage'],
      [0, 'finish_step promotion_start'],
      [0, 'POST /apis/appstudio.redhat.com/v1alpha1/namespaces/*/promotionruns'],
      [0, 'finish_step promotion'],
      [0, 'POST /apis/appstudio.redhat.com/v1alpha1/namespaces/*/snapshotenvironmentbindings'],
      [1, 'binding_overlay finish_step pushed_commit snapshot_commit'],
      [1, 'POST /apis/managed-gitops.redhat.com/v1alpha1/namespaces/*/gitopsdeployments'],
      [1, 'POST /apis/argoproj.io/v1alpha1/namespaces/*/applications'],
      [1, 'application_state finish_step'],
      [1, 'promotion_evidence promotion_step'],
      [1, 'POST /apis/appstudio.redhat.com/v1alpha1/namespaces/*/snapshotenvironmentbindings'],
      [2, 'binding_overlay finish_step pushed_commit snapshot_commit'],
      [2, 'POST /apis/managed-gitops.redhat.com/v1alpha1/namespaces/*/gitopsdeployments'],
      [2, 'POST /apis/argoproj.io/v1alpha1/namespaces/*/applications'],
      [2, 'application_state finish_step'],
      [2, 'promotion_evidence promotion_step'],
      [2, 'PATCH /apis/appstudio.redhat.com/v1alpha1/namespaces/*/promotionruns/one-*/status'],
      [2, 'finish_step promotion promotion_step'],
    ];
    const meant = changes.flatMap(([made, change]) => [
      `before ${change}, ${made} Bindings made`,
      `after ${change}, ${made} Bindings made`,
    ]);
    expect([...places]).toEqual(expect.arrayContaining(meant));

    expect(places.size).toBeGreaterThan(100);
  });

  async function withHost(act: () => Promise<void>): Promise<void> {
    const host = await startHostProcess(world.environment);
    try {
      await act();
    } finally {
      await host.kill('SIGTERM');
    }
  }

  /** False: the promotion has ended, and nobody had to die. */
  async function diesOverSomethingNew(
    namespace: string,
    places: Set<string>,
    way: { bindings: number },
  ): Promise<boolean> {
    let victim: HostProcess | undefined;
    let isDead = false;
    const ways = await standBetween({ world, cluster: argo.cluster }, (when, call) => {
      const change = changeOf(call);
      // What it does for the second environment is as it was for the first.
      const place = `${when} ${change}, ${way.bindings} Bindings made`;
      if (when === 'after' && change?.startsWith('POST ') && change.endsWith('/snapshotenvironmentbindings'))
        way.bindings += 1;
      if (!isDead && victim !== undefined && change !== undefined && !places.has(place)) {
        places.add(place);
        isDead = true;
        void victim.kill('SIGKILL');
      }
      return isDead;
    });
    try {
      victim = await startHostProcess(ways.environment);
      await untilEnded(namespace, () => isDead);
      return isDead;
    } finally {
      await victim?.kill('SIGKILL');
      await ways.close();
    }
  }

  async function hasComeThrough(namespace: string): Promise<void> {
    const [run, ...more] = await listObjects(cluster, promotionRuns, namespace);
    expect(more).toEqual([]);
    expect(run?.status?.completionResult).toBe('Success');
    expect(run?.status?.environmentStatus.map(({ environmentName: name, status }) => `${name} ${status}`)).toEqual([
      'dev success',
      'prod success',
    ]);
    const proved = run?.status?.environmentStatus.flatMap(({ components: seen }) => seen);
    expect(proved).toMatchObject(Array(2).fill({ name: 'web', sync: 'Synced', health: 'Healthy' }));
    const bound = await listObjects(cluster, bindings, namespace);
    expect(bound.map(({ metadata }) => metadata.name)).toEqual(['shop-dev-binding', 'shop-prod-binding']);
    expect(await countCommits(namespace)).toBe(2);
  }

  async function countCommits(namespace: string): Promise<number> {
    const application = await cluster.read(applications, { namespace, name: 'shop' });
    const { pathname } = new URL(application?.status?.gitops?.repositoryURL ?? '');
    const asked = ['-C', join(folder, 'git', pathname), 'rev-list', '--count', '--all'];
    return Number((await promisify(execFile)('git', asked, { timeout: 20_000 })).stdout);
  }

  /** Nothing is left to do before there is a snapshot. */
  async function untilReady(namespace: string): Promise<void> {
    await until(
      'the application and its environments to be known',
      async () => {
        const [known] = await world.database.sql`
          select (select count(*) from component_place where namespace = ${namespace}) = 1
            and (select count(*) from environment_use where namespace = ${namespace}) = 2
            and not exists (select from knock where tenant = ${namespace}) as "isReady"`;
        return known?.['isReady'] === true;
      },
      patienceMs,
    );
  }

  async function untilEnded(namespace: string, isInVain = () => false): Promise<void> {
    let said = 'nothing';
    try {
      await until(
        'the promotion to end',
        async () => {
          const [run] = await listObjects(cluster, promotionRuns, namespace);
          said = JSON.stringify(run?.status);
          // The rows learn it last.
          const [ended] = await world.database.sql`
            select 1 from promotion where namespace = ${namespace} and state = 'Completed'`;
          return isInVain() || ended !== undefined;
        },
        patienceMs,
      );
    } catch (error) {
      throw new Error(`${(error as Error).message}; it said ${said}`);
    }
  }

  async function openShop(): Promise<string> {
    const { metadata } = await cluster.create(namespaces, { metadata: { generateName: 'team-' } });
    const namespace = metadata.name;
    await cluster.create(applications, { metadata: { namespace, name: 'shop' }, spec: { displayName: 'shop' } });
    await cluster.create(components, {
      metadata: { namespace, name: 'web' },
      spec: { application: 'shop', componentName: 'web', source: { git: { url: 'https://example.com/shop' } } },
    });
    // Whoever comes to life again and again takes time.
    const strategy = { deploymentStrategy: 'AppStudioAutomated', promotion: { stepDeadline: '30m' } };
    await cluster.create(environments, {
      metadata: { namespace, name: 'dev' },
      spec: { ...strategy, displayName: 'dev' },
    });
    await cluster.create(environments, {
      metadata: { namespace, name: 'prod' },
      spec: { ...strategy, displayName: 'prod', parentEnvironment: 'dev', ...(await placeOfItsOwn(namespace)) },
    });
    return namespace;
  }

  /** Two that deploy one name to one namespace take it from one another. */
  async function placeOfItsOwn(namespace: string) {
    const { metadata } = await cluster.create(namespaces, { metadata: { generateName: 'place-' } });
    await cluster.create(secrets, {
      metadata: { namespace, name: 'place' },
      type: secretTypes.managedEnvironment,
      data: { kubeconfig: readFileSync(argo.cluster.kubeconfigFile).toString('base64') },
    });
    const kubernetesCredentials = {
      targetNamespace: metadata.name,
      apiURL: argo.cluster.url,
      clusterCredentialsSecret: 'place',
      allowInsecureSkipTLSVerify: false,
    };
    return { unstableConfigurationFields: { clusterType: 'OpenShift', kubernetesCredentials } };
  }

  async function release(namespace: string): Promise<void> {
    await cluster.create(snapshots, {
      metadata: { namespace, name: 'one' },
      spec: { application: 'shop', components: [{ name: 'web', containerImage: 'registry.example.com/shop/web:1' }] },
    });
  }
});
