import { setTimeout } from 'node:timers/promises';
import { connectCluster } from '../../shared/adapters/kubernetes/connection.ts';
import { openCluster } from '../../shared/adapters/kubernetes/open-cluster.ts';
import type { PromotionRun } from '../../shared/contracts/kubernetes/promotion-run.ts';
import { isTrouble } from '../../shared/ports/trouble.ts';
import { cleanse, printable } from '../ops/cleanse.ts';
import type { Paint } from '../ops/paint.ts';
import type { CommandsToType } from './commands-to-type.ts';
import { awaitSnapshot, endedRuns, followPromotions } from './follow-promotions.ts';
import { makeSample } from './make-sample.ts';
import { application, components, drawGraph, environments, gate, namespace } from './sample.ts';

interface Demo {
  readonly kubeconfig: string;
  /** Of the host. */
  readonly url: string;
  readonly commands: CommandsToType;
  readonly paint: Paint;
  readonly write: (text: string) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Often enough that a person sees every step, seldom enough that the API server does not notice. */
const lookEveryMs = 200;

/** Puts the sample into the cluster and tells what becomes of it, until it is ended. Resolves then, and rejects where it cannot. */
export async function runDemo({ kubeconfig, url, commands, paint, write, signal }: Demo): Promise<void> {
  const connection = connectCluster({ kubeconfigPath: kubeconfig, now: Date.now });
  const cluster = openCluster({ connection });
  const began = performance.now();
  const width = Math.max(...environments.map(({ name }) => name.length));
  const say = (about: string, text: string): void => {
    const seconds = `${((performance.now() - began) / 1_000).toFixed(1)} s`;
    write(`${paint.dim(seconds.padStart(8))}  ${about === '' ? '' : `${about.padEnd(width)}  `}${text}\n`);
  };
  const pause = () => setTimeout(lookEveryMs, undefined, { signal });
  const eyes = { cluster, paint, say, pause, signal, now: Date.now, ops: commands.ops };
  try {
    const [names, strategies] = drawGraph();
    write(
      `  ${paint.bold('The demo')}: application ${application}, ${components.length} components, ${environments.length} environments in namespace ${namespace}\n\n    ${names}\n    ${paint.dim(strategies)}\n\n`,
    );
    const before = await endedRuns(eyes);
    const { isNew, images, built } = await makeSample(cluster, signal);
    say(
      '',
      isNew
        ? `made ${environments.length} Environments, each with a claim, ${components.length} Components and their Application`
        : `all of it is there; a build of ${built.join(', ')} ends`,
    );
    const { metadata } = await awaitSnapshot(eyes, images);
    const held = Object.values(images).map((image) => image.slice(image.lastIndexOf('/') + 1));
    say('', `Snapshot ${metadata.name} holds ${held.join(', ')}`);
    let isFirst = true;
    await followPromotions(eyes, { snapshot: metadata.name, before }, (run) => {
      if (isFirst && run.spec.snapshot === metadata.name) {
        isFirst = false;
        write(whatNext({ url, commands, paint }, run));
      }
    });
  } catch (error) {
    if (!signal.aborted) throw isTrouble(error) ? new Error(printable(cleanse(error.message))) : error;
  } finally {
    await connection.close();
  }
}

export function whatNext(
  { url, commands, paint }: Pick<Demo, 'url' | 'commands' | 'paint'>,
  { metadata, spec, status }: PromotionRun,
): string {
  const follower = environments.find(({ parent }) => parent === gate)?.name ?? '';
  const lines =
    status?.completionResult === 'Success'
      ? [
          `  Environment ${gate} waits for a person. In another terminal:`,
          '',
          `    ${paint.bold(commands.ops(`promote ${namespace}/${application} --snapshot ${spec.snapshot} --to ${gate} --wait`))}`,
          '',
          `  and ${follower} follows by itself, in a run of its own; both are told here.`,
        ]
      : [`  How it came to that:  ${commands.ops(`trace ${namespace}/${metadata.name}`)}`];
  return `
${lines.join('\n')}

    ${url}/console    the same to look at, live
    ${commands.demo}    after Ctrl-C: what is there stays, and another build travels

  Ctrl-C stops it and everything it started.

`;
}
