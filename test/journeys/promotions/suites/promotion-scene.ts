import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import {
  argoApplications,
  bindings,
  gitOpsDeployments,
  promotionRuns,
  snapshots,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { PromotionRun } from '../../../../shared/contracts/kubernetes/promotion-run.ts';
import { applicationName } from '../../../../shared/domain/gitops/names.ts';
import { argoNamespace } from '../../../support/gitops-world.ts';
import { listObjects } from '../../../support/list-objects.ts';
import { openPassingTime, type PassingTime } from '../../../support/passing-time.ts';
import type { ReleaseWorld } from '../../../support/release-world.ts';
import { openReleaseScene } from '../../releases/suites/release-scene.ts';

interface Said {
  readonly sync?: string;
  readonly health?: string;
  readonly message?: string;
  /** The revision that Argo CD compared with; the newest commit unless said otherwise. */
  readonly revision?: string;
  readonly operation?: object;
}

/** Hands and eyes for stories about promotions; the test plays Argo CD. */
export async function openPromotionScene(world: ReleaseWorld) {
  const releases = await openReleaseScene(world);
  const { namespace } = releases;
  const { cluster } = world;

  const scene = {
    ...releases,
    /** Several environments, each behind its parent: `poc`, `dev<poc`, `staging<dev manual`. */
    async environments(...described: string[]): Promise<void> {
      for (const text of described) {
        const [place = '', ...words] = text.split(' ');
        const [name = '', parent = ''] = place.split('<');
        await releases.environment(name, {
          strategy: words.includes('manual') ? 'Manual' : 'AppStudioAutomated',
          spec: { parentEnvironment: parent },
        });
      }
    },
    /** An Application with Components that nobody has built yet: the Snapshots are the test's. */
    async shop(...components: string[]): Promise<void> {
      await releases.application();
      for (const name of components)
        await releases.component(name, '', { source: { git: { url: 'https://example.com/shop' } } });
    },
    async promote(name: string, snapshot: string, to: string, application = 'shop'): Promise<void> {
      await cluster.create(promotionRuns, {
        metadata: { namespace, name },
        spec: { application, snapshot, manualPromotion: { targetEnvironment: to } },
      });
    },
    async promoteAlong(name: string, snapshot: string, ...initial: string[]): Promise<void> {
      await cluster.create(promotionRuns, {
        metadata: { namespace, name },
        spec: { application: 'shop', snapshot, automatedPromotion: { initialEnvironments: initial } },
      });
    },
    runs: (): Promise<PromotionRun[]> => listObjects(cluster, promotionRuns, namespace),
    async run(name: string): Promise<PromotionRun> {
      const found = await cluster.read(promotionRuns, { namespace, name });
      if (found === undefined) throw new Error(`there is no PromotionRun ${name}`);
      return found;
    },
    /** How a run stands: its state, and each environment's. */
    async stands(name: string): Promise<string> {
      const { status } = await scene.run(name);
      const way = status?.environmentStatus.map(
        ({ step, environmentName, status: is }) => `${step} ${environmentName} ${is}`,
      );
      return [status?.state ?? 'new', status?.completionResult, ...(way ?? [])].filter(Boolean).join(', ');
    },
    async condition(name: string, type: string): Promise<string | undefined> {
      const found = (await scene.run(name)).status?.conditions.find((one) => one.type === type);
      return found && `${found.status} ${found.reason}: ${found.message}`;
    },
    /** What a run says that it waits for, and for how many seconds. */
    async waits(name: string): Promise<string | undefined> {
      const waiting = (await scene.run(name)).status?.waiting;
      if (waiting === undefined) return undefined;
      const { reason, message, since = '', until = '' } = waiting;
      return `${reason} for ${Math.round((Date.parse(until) - Date.parse(since)) / 1_000)} s: ${message}`;
    },
    /** What a Snapshot says of its own promotion. */
    async saidOf(snapshot: string): Promise<string | undefined> {
      const found = await cluster.read(snapshots, { namespace, name: snapshot });
      const said = found?.status?.conditions.find(({ type }) => type === 'AutomatedPromotion');
      return said && `${said.status} ${said.reason}: ${said.message}`;
    },
    /** One environment, as a run tells of it. */
    async told(name: string, environment: string) {
      const { status } = await scene.run(name);
      const found = status?.environmentStatus.find(({ environmentName }) => environmentName === environment);
      if (found === undefined) throw new Error(`${name} says nothing of ${environment}`);
      return found;
    },
    /** The snapshot of every Binding, by environment. */
    async bound(): Promise<Record<string, string>> {
      const all = await listObjects(cluster, bindings, namespace);
      return Object.fromEntries(all.map(({ spec }) => [spec.environment, spec.snapshot]));
    },
    /** Argo CD says the same of every deployment of an environment, or of one component there. */
    async argoSays(environment: string, said: Said = {}, component?: string): Promise<void> {
      for (const { metadata, spec } of await listObjects(cluster, gitOpsDeployments, namespace)) {
        const { labels } = metadata;
        if (labels['appstudio.openshift.io/environment'] !== environment) continue;
        if (component !== undefined && labels['appstudio.openshift.io/component'] !== component) continue;
        const head = await world.git.head(spec.source.repoURL);
        const { sync = 'Synced', health = 'Healthy', message = '', revision = head, operation } = said;
        await cluster.patch(
          argoApplications,
          { namespace: argoNamespace, name: applicationName(metadata.uid) },
          {
            status: {
              sync: { status: sync, revision },
              health: { status: health, ...(message !== '' && { message }) },
              operationState: operation ?? { phase: 'Succeeded', startedAt: '2026-01-01T00:00:00Z', operation: {} },
            },
          },
        );
      }
    },
    /** Argo CD deploys what it has not deployed yet, and says nothing where there is nothing new. True: there was. */
    async argoWorks(environment: string): Promise<boolean> {
      let isNews = false;
      for (const { metadata, spec } of await listObjects(cluster, gitOpsDeployments, namespace)) {
        if (metadata.labels['appstudio.openshift.io/environment'] !== environment) continue;
        const name = applicationName(metadata.uid);
        const found = await cluster.read(argoApplications, { namespace: argoNamespace, name });
        if (found === undefined) continue;
        if (found.status?.sync?.revision === (await world.git.head(spec.source.repoURL))) continue;
        isNews = true;
        await scene.argoSays(environment, {}, metadata.labels['appstudio.openshift.io/component']);
      }
      return isNews;
    },
    /** Argo CD deploys what stands in Git there, and all is well. */
    async deploys(...environments: string[]): Promise<void> {
      for (const environment of environments) await scene.argoSays(environment);
      await scene.settle();
    },
  };
  return scene;
}

export type PromotionScene = Awaited<ReturnType<typeof openPromotionScene>>;

export type TimedScene = PromotionScene & PassingTime;

/** One world for a suite, with a clock of its own, and a scene for each of its tests. */
export function inPromotionScenes(
  open: () => Promise<ReleaseWorld>,
  begin: (scene: TimedScene) => void | Promise<void>,
): void {
  let world: ReleaseWorld;
  let time: PassingTime;
  beforeAll(async () => {
    world = await open();
    time = openPassingTime(world);
  });
  afterAll(() => world?.close());
  beforeEach(async () => {
    // Whatever waits belongs to the test before.
    await world.sql`delete from wakeup`;
    await begin({ ...(await openPromotionScene(world)), ...time });
  });
}

/** Creations tell the second they were made in. Right after it there is time for several, and all before were earlier. */
export async function untilFreshSecond(): Promise<void> {
  await pause(1_000 - (Date.now() % 1_000));
}
