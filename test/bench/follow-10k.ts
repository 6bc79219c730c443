import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type BenchCluster, openEmbeddedCluster } from './cluster.ts';
import { type Measure, quantile, round } from './measure.ts';

const objects = 10_000;
const inFlight = 32;
const probes = 300;

interface Weighed {
  readonly rss: number;
  readonly heap: number;
  readonly known: number;
}

/** The floor is a bare watch in this process of the same objects: what the forwarder adds is the rest. */
export const follow10k: Measure = {
  name: 'follow-10k',
  asks: 'How far behind is a watch forwarder that follows 10,000 objects, and what does it weigh?',
  async run(tell) {
    const cluster = await openEmbeddedCluster();
    const forwarder = await startForwarder(cluster.kubeconfigFile);
    try {
      const before = await forwarder.weigh();
      await fill(cluster, tell);
      await forwarder.knows(objects);
      const after = await forwarder.weigh();
      const bare = await cluster.follow();
      const [own, floor]: [number[], number[]] = [[], []];
      for (let at = 0; at < probes; at += 1) {
        if (at % 50 === 0) tell(`probe ${at} of ${probes}`);
        const name = `bench-probe-${at}`;
        const [told, seen] = [forwarder.told(name), bare.seen(name)];
        const from = performance.timeOrigin + performance.now();
        const [forwardedAt, seenAt] = await Promise.all([told, seen, cluster.create(name)]);
        own.push(forwardedAt - from);
        floor.push(performance.timeOrigin + seenAt - from);
      }
      const ratio = quantile(own, 0.5) / quantile(floor, 0.5);
      const weight = round((after.heap - before.heap) / 1024 / 1024);
      return {
        name: 'follow-10k',
        unit: 'ms',
        ours: round(quantile(own, 0.5)),
        p99: round(quantile(own, 0.99)),
        floor: round(quantile(floor, 0.5)),
        ratio: round(ratio),
        target: 'ratio <= 2',
        ok: ratio <= 2,
        note: `${after.known} objects: ${weight} MB of heap, ${round(after.rss / 1024 / 1024)} MB in all`,
      };
    } finally {
      await forwarder.stop();
      await cluster.close();
    }
  },
};

async function fill(cluster: BenchCluster, tell: (progress: string) => void): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (next < objects) {
        next += 1;
        if (next % 500 === 0) tell(`${next} of ${objects} objects`);
        await cluster.create(`bench-${next}`);
      }
    }),
  );
}

async function startForwarder(kubeconfigFile: string) {
  const file = fileURLToPath(new URL('./follow-process.ts', import.meta.url));
  const child: ChildProcess = fork(file, [kubeconfigFile], { execArgv: ['--expose-gc'] });
  const waiting = new Map<string, (at: number) => void>();
  let weighed = (_: Weighed): void => {};
  child.on('message', (message: { names?: readonly string[]; at?: number } & Partial<Weighed>) => {
    for (const name of message.names ?? []) {
      waiting.get(name)?.(message.at ?? 0);
      waiting.delete(name);
    }
    if (message.rss !== undefined) weighed(message as Weighed);
  });
  await once(child, 'message');
  const weigh = (): Promise<Weighed> =>
    new Promise((resolve) => {
      weighed = resolve;
      child.send('weigh');
    });
  return {
    weigh,
    told: (name: string): Promise<number> => new Promise((resolve) => waiting.set(name, resolve)),
    async knows(count: number): Promise<void> {
      while ((await weigh()).known < count) await new Promise((resolve) => setTimeout(resolve, 50));
    },
    async stop(): Promise<void> {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
