import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mapFile } from '../../../../infra/map.ts';
import { type ClusterConnection, connectCluster } from '../../../../shared/adapters/kubernetes/connection.ts';
import { openCluster } from '../../../../shared/adapters/kubernetes/open-cluster.ts';
import {
  applications,
  bindings,
  components,
  environments,
  namespaces,
  snapshots,
} from '../../../../shared/contracts/kubernetes/kinds.ts';
import type { Cluster } from '../../../../shared/ports/cluster.ts';
import { holdPushes } from '../../../support/hold-pushes.ts';
import { type HostProcess, openWorld, startHostProcess, type World } from '../../../support/host-process.ts';
import { openReleaseGit, type ReleaseGit } from '../../../support/release-world.ts';
import { until } from '../../../support/until.ts';

const many = 200;
const namespace = 'crowd';
const patienceMs = 240_000;
const image = (build: string, environment: string) => `registry.example.com/${environment}/web:${build}`;

/** A cluster that runs as long as the suite. */
interface Running {
  readonly kubeconfigFile: string;
  stop(): Promise<void>;
}

/**
 * Many Bindings of one application, each with an environment and a snapshot of its own, so that every file tells whose it is.
 * The service is a process, the repository is real git behind HTTP.
 */
export function describeManyChanges(open: () => Promise<Running>): void {
  describe(`${many} Bindings of one repository that change at once`, () => {
    let plane: Running;
    let connection: ClusterConnection;
    let cluster: Cluster;
    let git: ReleaseGit;
    let world: World;
    let host: HostProcess;
    const pushes = holdPushes();
    const names = Array.from({ length: many }, (_each, index) => `env-${String(index).padStart(3, '0')}`);

    beforeAll(async () => {
      plane = await open();
      connection = connectCluster({ kubeconfigPath: plane.kubeconfigFile, now: Date.now });
      cluster = openCluster({ connection });
      git = await openReleaseGit((server) => pushes.before(server));
      // Nobody plays Argo CD here: what is deployed is not this story.
      world = await openWorld(
        { KUBECONFIG: plane.kubeconfigFile, ARGO_CD_NAMESPACE: 'nowhere', ...git.settings },
        mapFile,
      );
      host = await startHostProcess(world.environment);
      await cluster.create(namespaces, { metadata: { name: namespace } });
      await cluster.create(applications, { metadata: { namespace, name: 'shop' }, spec: { displayName: 'Shop' } });
      await cluster.create(components, {
        metadata: { namespace, name: 'web' },
        spec: { application: 'shop', componentName: 'web', source: { git: { url: 'https://example.com/shop.git' } } },
      });
      await inTurns(names, async (name) => {
        await cluster.create(environments, {
          metadata: { namespace, name },
          spec: { displayName: name, deploymentStrategy: 'Manual' },
        });
        await freeze('one', name);
        await freeze('two', name);
        await freeze('three', name);
      });
    }, 120_000);
    afterAll(async () => {
      await host?.kill('SIGTERM');
      await world?.close();
      await git?.stop();
      await connection?.close();
      await plane?.stop();
    });

    it('become far fewer commits, and each commit tells the snapshots that it was made of', async () => {
      await inTurns(names, (name) =>
        cluster.create(bindings, {
          metadata: { namespace, name },
          spec: { application: 'shop', environment: name, snapshot: `${name}-one`, components: [] },
        }),
      );
      await untilStanding('one');

      expect(await ourCommits()).toBeLessThan(many / 2);
      // Nobody else pushes: not even a conflict is in order.
      expect(await refusals(['stepped', 'skipped'])).toEqual([]);
      await everyCommitTellsItsSnapshots();
    });

    it('lose nothing when somebody else pushes to the repository all the time', async () => {
      const url = await repository();
      const before = await ourCommits();
      const pushed: string[] = [];
      let isBusy = true;
      const somebody = (async () => {
        for (let turn = 0; isBusy; turn += 1) {
          const path = `notes/${turn}.md`;
          await git.commit(url, { [path]: `note ${turn}` }).then(
            () => pushed.push(path),
            // The service was faster: fast-import does not overwrite either.
            () => undefined,
          );
          // As fast as a busy team, and slower than a loop that nobody could ever overtake.
          await pause(1_000);
        }
      })();
      try {
        await changeAll('two');
        await untilStanding('two');
      } finally {
        isBusy = false;
        await somebody;
      }

      const files = await git.files(url);
      expect(pushed.length).toBeGreaterThan(0);
      expect(pushed.filter((path) => files[path] === undefined)).toEqual([]);
      expect((await ourCommits()) - before).toBeLessThan(many / 2);
      // Who is overtaken looks again.
      expect(await refusals(['stepped', 'skipped', 'conflict'])).toEqual([]);
      await everyCommitTellsItsSnapshots();
    });

    it('end as they should when the process is killed in the middle of a push, one that is lost and one that arrives', async () => {
      const before = await ourCommits();
      const changing = changeAll('three');
      for (const where of ['on its way', 'on its way back'] as const) {
        const letGo = await pushes.hold(where);
        await host.kill('SIGKILL');
        letGo();
        host = await startHostProcess(world.environment);
      }
      await changing;
      await untilStanding('three');

      expect(pushes.held).toEqual(['on its way', 'on its way back']);
      expect((await ourCommits()) - before).toBeGreaterThan(0);
      expect((await ourCommits()) - before).toBeLessThan(many / 2);
      await everyCommitTellsItsSnapshots();
      expect(await deadLetters()).toBe(0);
    });

    /** Several at a time, as users would. */
    async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
      const waiting = [...items];
      await Promise.all(
        Array.from({ length: 16 }, async () => {
          for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
        }),
      );
    }

    async function freeze(build: string, environment: string): Promise<void> {
      await cluster.create(snapshots, {
        metadata: { namespace, name: `${environment}-${build}` },
        spec: { application: 'shop', components: [{ name: 'web', containerImage: image(build, environment) }] },
      });
    }

    async function changeAll(build: string): Promise<void> {
      await inTurns(names, (name) =>
        cluster.patch(bindings, { namespace, name }, { spec: { snapshot: `${name}-${build}` } }),
      );
    }

    async function repository(): Promise<string> {
      const found = await cluster.read(applications, { namespace, name: 'shop' });
      return found?.status?.gitops?.repositoryURL ?? '';
    }

    /** Every overlay has the image of its own snapshot, and every Binding says so. */
    async function untilStanding(build: string): Promise<void> {
      await until(
        `all overlays of ${build}`,
        async () => {
          const [{ left } = {}] = await world.database.sql`select count(*)::int as left from binding_overlay
            where rendered_digest is distinct from wanted_digest or snapshot <> environment || ${`-${build}`}`;
          const [{ all } = {}] = await world.database.sql`select count(*)::int as all from binding_overlay`;
          return left === 0 && all === many;
        },
        patienceMs,
      );
      const files = await git.files(await repository());
      for (const name of names)
        expect(files[`components/web/overlays/${name}/kustomization.yaml`]).toContain(`newTag: ${build}`);
      await until(
        'all Bindings to say so',
        async () => {
          for await (const page of cluster.list(bindings, { namespace }))
            for (const { metadata, status } of page) {
              const commit = status?.components[0]?.gitOpsRepository?.commitID;
              const [row] = await world.database
                .sql`select commit_id from binding_overlay where name = ${metadata.name}`;
              if (commit === undefined || commit !== row?.['commit_id']) return false;
            }
          return true;
        },
        patienceMs,
      );
    }

    async function ourCommits(): Promise<number> {
      const commits = await git.commits(await repository());
      return commits.filter(({ message }) => message.includes('Stagecoach-Snapshot: ')).length;
    }

    async function everyCommitTellsItsSnapshots(): Promise<void> {
      const url = await repository();
      const told = new Map(
        (await git.commits(url)).map(({ id, message }) => [
          id,
          [...message.matchAll(/^Stagecoach-Snapshot: (.*)$/gm)].map(([, snapshot]) => snapshot),
        ]),
      );
      const rows = await world.database.sql`select commit_id, snapshot from snapshot_commit`;
      for (const { commit_id: commit, snapshot } of rows) expect(told.get(String(commit))).toContain(snapshot);
      const listed = [...told.values()].flat().toSorted();
      expect(listed).toEqual(rows.map(({ snapshot }) => String(snapshot)).toSorted());
      // Every seventh is enough to look at, and any commit may be among them.
      for (const { commit_id: commit, snapshot } of rows.filter((_row, index) => index % 7 === 0)) {
        const [, environment = '', build = ''] = /^(.*)-(\w+)$/.exec(String(snapshot)) ?? [];
        const path = `components/web/overlays/${environment}/kustomization.yaml`;
        const [name, tag] = image(build, environment).split(':');
        const file = await git.git(url, 'show', `${commit}:${path}`);
        expect(file).toContain(`newName: ${name}\n`);
        expect(file).toContain(`newTag: ${tag}\n`);
      }
    }

    /** Steps on the repository that ended in another way than these, and Bindings that say that it could not be written. */
    async function refusals(inOrder: readonly string[]): Promise<unknown[]> {
      return [
        ...(await world.database.sql`select outcome, reason from step_log where function = 'render-overlay'
          and outcome <> all (${inOrder})`),
        ...(await world.database
          .sql`select name, trouble_reason from binding_overlay where trouble_reason is not null`),
      ];
    }

    async function deadLetters(): Promise<number> {
      const [{ count } = {}] = await world.database
        .sql`select count(*)::int from step_log where outcome in ('poison', 'defect')`;
      return Number(count);
    }
  });
}
