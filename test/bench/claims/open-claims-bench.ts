import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { applyCrds, ownCrds, readCrds } from '../../../infra/kubernetes/apply-crds.ts';
import { followObjects } from '../gitops/follow-objects.ts';
import { type GitOpsBench, inParallel, openGitOpsBench } from '../gitops/open-gitops-bench.ts';
import { openSightings } from '../gitops/sightings.ts';
import { tellState } from '../gitops/tell-state.ts';
import { type ClaimObject, claim, claimsPath, floorGroup, ourGroup, target, targetsPath } from './claim-objects.ts';

const patienceMs = 300_000;

/** One of the two ways to bind. */
export interface Binding {
  makeTargets(namespaces: readonly string[], from: number, to: number): Promise<void>;
  /** Makes claims and answers how many milliseconds it took until the last was seen Bound. */
  bind(namespaces: readonly string[], from: number, to: number): Promise<number>;
}

export interface ClaimsBench extends Pick<GitOpsBench, 'sql' | 'makeNamespaces' | 'quiet' | 'close'> {
  readonly ours: Binding;
  readonly floor: Binding;
}

/** The product's host and a bare client that binds, on one real API server. Undefined where that cannot be had. */
export async function openClaimsBench(): Promise<ClaimsBench | undefined> {
  const bench = await openGitOpsBench({});
  if (bench === undefined) return undefined;
  const { connection } = bench;
  const plurals = ['deploymenttargets', 'deploymenttargetclaims'];
  await applyCrds(
    connection,
    readCrds(ownCrds)
      .filter(({ spec }) => plurals.includes(spec.names.plural))
      .map((crd) => ({
        ...crd,
        metadata: { ...crd.metadata, name: `${crd.spec.names.plural}.${floorGroup}` },
        spec: { ...crd.spec, group: floorGroup },
      })),
  );
  const bare = fork(fileURLToPath(new URL('./bare-binder.ts', import.meta.url)), [
    bench.environment['KUBECONFIG'] ?? '',
  ]);
  await once(bare, 'message');
  const sides = await Promise.all([ourGroup, floorGroup].map((group) => openBinding(group)));
  const [ours, floor] = sides as [(typeof sides)[number], (typeof sides)[number]];

  async function openBinding(group: string): Promise<Binding & { stop(): void }> {
    const sightings = openSightings(patienceMs, () => tellState(bench?.sql as GitOpsBench['sql']));
    const watch = await followObjects(connection, claimsPath(group), (_type, object, at) => {
      const { metadata, status } = object as unknown as ClaimObject;
      if (status?.phase === 'Bound') sightings.note(`${metadata.namespace}/${metadata.name}`, at);
    });
    const place = (namespaces: readonly string[], at: number): string => namespaces[at % namespaces.length] ?? '';
    return {
      async makeTargets(namespaces, from, to) {
        await inParallel(to - from, async (index) => {
          const at = from + index;
          const namespace = place(namespaces, at);
          const body = target(group, namespace, `target-${at}`);
          await connection.request(targetsPath(group, namespace), { method: 'POST', body, accept: [] });
        });
      },
      async bind(namespaces, from, to) {
        const started = performance.now();
        const seen: Promise<number>[] = [];
        await inParallel(to - from, async (index) => {
          const at = from + index;
          const namespace = place(namespaces, at);
          const body = claim(group, namespace, `claim-${at}`);
          seen.push(sightings.of(`${namespace}/claim-${at}`));
          await connection.request(claimsPath(group, namespace), { method: 'POST', body, accept: [] });
        });
        return Math.max(...(await Promise.all(seen))) - started;
      },
      stop: () => watch.stop(),
    };
  }

  return {
    sql: bench.sql,
    makeNamespaces: bench.makeNamespaces,
    quiet: bench.quiet,
    ours,
    floor,
    async close() {
      ours.stop();
      floor.stop();
      await end(bare);
      await bench.close();
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
