import { readFileSync } from 'node:fs';
import { inParallel, skipped } from '../gitops/open-gitops-bench.ts';
import { processorSeconds } from '../gitops/processor-time.ts';
import { scaled, scaleNote } from '../gitops/scale.ts';
import { databaseNow, stepTimes } from '../gitops/step-times.ts';
import { type Measure, round } from '../measure.ts';
import { openPromotionBench, type PromotionBench } from './open-promotion-bench.ts';

const applications = 1_000;
const tenants = 50;
const environments = ['development', 'staging', 'production'] as const;
/** More than the applications of a tenant that all wait at once would be too many. */
const mostMegabytes = 600;

export const promote1000: Measure = {
  name: 'promote-1000',
  asks: 'How long until 1,000 applications are promoted through 3 environments, all at once?',
  async run(tell) {
    const bench = await openPromotionBench();
    if (bench === undefined) return skipped('promote-1000', 's');
    try {
      const count = scaled(applications);
      const namespaces = Array.from({ length: Math.min(tenants, count) }, (_none, at) => `tenant-${at}`);
      tell('making applications');
      await bench.makeNamespaces(namespaces);
      for (const namespace of namespaces) await bench.makeEnvironments(namespace, environments);
      const places = Array.from({ length: count }, (_none, at) => ({
        namespace: namespaces[at % namespaces.length] ?? '',
        name: `app-${at}`,
      }));
      await inParallel(count, async (at) => {
        const { namespace = '', name = '' } = places[at] ?? {};
        await bench.makeApplication(namespace, name);
      });
      await bench.deployAll();
      // The first time deployments and Applications of Argo CD are made; from then on it is promotion alone.
      const made = await promoteAll(bench, places, 'first', tell);
      const [since, used] = [await databaseNow(bench.sql), processorSeconds(bench.hostPid())];
      const again = await promoteAll(bench, places, 'second', tell);
      const busy = processorSeconds(bench.hostPid()) - used;
      const megabytes = mostMemory(bench.hostPid());
      const failed = made.failed + again.failed;
      return {
        name: 'promote-1000',
        unit: 's',
        ours: round(again.seconds),
        p99: null,
        floor: null,
        ratio: null,
        target: `all well, < ${mostMegabytes} MB`,
        ok: failed === 0 && megabytes < mostMegabytes,
        note: `${count} applications, ${round((count * environments.length) / again.seconds)} environments a second, ${failed} failed; the first time, with everything to make, ${round(made.seconds)} s; the host held ${round(megabytes)} MB at the most and used ${round(busy)} s of the processors${scaleNote()}`,
        steps: await stepTimes(bench.sql, since),
      };
    } finally {
      await bench.close();
    }
  },
};

async function promoteAll(
  bench: PromotionBench,
  places: readonly { readonly namespace: string; readonly name: string }[],
  turn: string,
  tell: (progress: string) => void,
): Promise<{ readonly seconds: number; readonly failed: number }> {
  await bench.quiet();
  tell(`promoting the ${turn} time`);
  const from = performance.now();
  const ended = places.map(({ namespace, name }) => bench.ended(namespace, `${name}-${turn}`));
  await inParallel(places.length, async (at) => {
    const { namespace = '', name = '' } = places[at] ?? {};
    await bench.createSnapshot(namespace, `${name}-${turn}`, name);
  });
  const all = await Promise.all(ended);
  const seconds = (Math.max(...all.map(({ at }) => at)) - from) / 1_000;
  return { seconds, failed: all.filter(({ result }) => result !== 'Success').length };
}

/** In megabytes, since the process began. */
function mostMemory(pid: number): number {
  return Number(/VmHWM:\s+(?<kb>\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.groups?.['kb']) / 1_024;
}
