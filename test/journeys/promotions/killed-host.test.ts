import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { type ClusterBoundary, startClusterProxy } from '../../support/cluster-proxy.ts';
import { openEmbeddedArgoCluster } from '../../support/gitops-journey.ts';
import { type HostProcess, openWorld, startHostProcess, type World } from '../../support/host-process.ts';
import { type Boundary, startDatabaseProxy } from '../../support/killing-proxies.ts';
import { listObjects } from '../../support/list-objects.ts';
import { describeWithGit } from '../../support/needs-git.ts';
import { until } from '../../support/until.ts';

// A case takes seconds; a busy machine was seen to need ten times as many.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });
const patienceMs = 90_000;

type Place = ({ readonly at: 'cluster' } & ClusterBoundary) | ({ readonly at: 'database' } & Boundary);

/** Some of the calls that matter most; test/journeys/promotions/killed-at-every-call.test.ts has them all. */
const places: Readonly<Record<string, Place>> = {
  'after the run is made': { at: 'cluster', when: 'after', what: /^POST .*\/promotionruns/ },
  'before the turn is taken': { at: 'database', when: 'before', what: 'insert into promotion as p', nth: 1 },
  'after the Binding is made': { at: 'cluster', when: 'after', what: /^POST .*\/snapshotenvironmentbindings/ },
  'after the step is written': { at: 'database', when: 'after', what: 'insert into promotion_step', nth: 1 },
  'before the end is written': {
    at: 'database',
    when: 'before',
    what: "update promotion set state = 'Completed'",
    nth: 1,
  },
};

describeWithGit('the host that works on a promotion, killed', () => {
  let folder: string;
  let hastyMap: string;
  let argo: Awaited<ReturnType<typeof openEmbeddedArgoCluster>>;
  let git: ArgoGit;
  let cluster: Cluster;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stagecoach-killed-'));
    // What a crash leaves behind is swept up every second instead of every five.
    hastyMap = join(folder, 'serverless.yml');
    writeFileSync(hastyMap, readFileSync(mapFile, 'utf8').replace('*/5 * * * * *', '* * * * * *'));
    argo = await openEmbeddedArgoCluster();
    cluster = openCluster({ connection: argo.connection });
    git = await startArgoGit(join(folder, 'git'));
    writeFileSync(join(folder, 'git-token'), git.writeToken, { mode: 0o600 });
  });
  afterAll(async () => {
    await git?.stop();
    await argo?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(Object.entries(places))('%s: the snapshot comes through both environments', async (_where, place) => {
    const world = await openWorld(
      {
        KUBECONFIG: argo.cluster.kubeconfigFile,
        ARGO_CD_NAMESPACE: argo.argoNamespace,
        GIT_ROOT_URL: git.server.url,
        GIT_TOKEN_FILE: join(folder, 'git-token'),
        GIT_CACHE_FOLDER: join(folder, 'clones'),
      },
      hastyMap,
    );
    let host: HostProcess | undefined;
    try {
      const namespace = await openShop();
      await dieAt(place, world, () => release(namespace));

      host = await startHostProcess(world.environment);
      await untilEnded(namespace);

      const [run, ...more] = await listObjects(cluster, promotionRuns, namespace);
      expect(more).toEqual([]);
      expect(run?.status?.completionResult).toBe('Success');
      expect(run?.status?.environmentStatus.map(({ environmentName: name, status }) => `${name} ${status}`)).toEqual([
        'dev success',
        'prod success',
      ]);
      const bound = await listObjects(cluster, bindings, namespace);
      expect(bound.map(({ metadata }) => metadata.name)).toEqual(['shop-dev-binding', 'shop-prod-binding']);
      await expect
        .poll(() => world.database.sql`select state, result from promotion where namespace = ${namespace}`, {
          timeout: 30_000,
        })
        .toMatchObject([{ state: 'Completed', result: 'Success' }]);
    } finally {
      await host?.kill('SIGTERM');
      await world.close();
    }
  });

  async function untilEnded(namespace: string): Promise<void> {
    let said = 'nothing';
    try {
      await until(
        'the promotion to end',
        async () => {
          const [run] = await listObjects(cluster, promotionRuns, namespace);
          said = JSON.stringify(run?.status);
          return run?.status?.state === 'Completed';
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
    const strategy = { deploymentStrategy: 'AppStudioAutomated' };
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

  async function dieAt(place: Place, world: World, begin: () => Promise<void>): Promise<void> {
    let victim: HostProcess | undefined;
    const kill = (): void => void victim?.kill('SIGKILL');
    const kubeconfig = join(folder, 'proxied.kubeconfig');
    const [proxy, through] =
      place.at === 'cluster'
        ? [await startClusterProxy(argo.cluster, kubeconfig, place, kill), { KUBECONFIG: kubeconfig }]
        : await startDatabaseProxy(world.database.url, place, kill).then(
            (one) => [one, { DATABASE_URL: one.url }] as const,
          );
    try {
      victim = await startHostProcess({ ...world.environment, ...through });
      await begin();
      await proxy.struck;
    } finally {
      await victim?.kill('SIGKILL');
      await proxy.close();
    }
  }
});
