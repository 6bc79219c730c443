import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedKubernetes } from '../../../infra/embedded/kubernetes/start-embedded-kubernetes.ts';
import { applyCrds, ownCrds, readCrds } from '../../../infra/kubernetes/apply-crds.ts';
import { runPods } from '../../../infra/real/run-pods.ts';
import { startControlPlane } from '../../../infra/real/start-control-plane.ts';
import { connectCluster } from '../../../shared/adapters/kubernetes/connection.ts';
import { partsOf, realParts, reasonOf } from '../../support/real-parts.ts';
import { compared } from './kubectl-session/compared.ts';
import { type Answer, playChapter } from './kubectl-session/play-chapter.ts';
import { session } from './kubectl-session/session.ts';
import { unsupported } from './kubectl-session/unsupported.ts';

const real = await realParts(['etcd', 'kube-apiserver', 'kube-controller-manager', 'kubectl']);

describe.skipIf('missing' in real)(`a session of kubectl on both API servers${reasonOf(real)}`, () => {
  const stops: (() => Promise<void>)[] = [];
  let folder = '';
  let answers: Readonly<Record<'embedded' | 'real', readonly (readonly Answer[])[]>> | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stagecoach-session-'));
    stops.push(() => rm(folder, { recursive: true, force: true }));
    const [onEmbedded, onReal] = await Promise.all([play('embedded', startEmbedded), play('real', startReal)]);
    answers = { embedded: onEmbedded, real: onReal };
  });

  afterAll(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  /** The whole session on one server, one chapter after the other. */
  async function play(
    side: string,
    start: (folder: string) => Promise<string>,
  ): Promise<readonly (readonly Answer[])[]> {
    const shell = {
      kubectl: partsOf(real).kubectl,
      kubeconfigFile: await start(join(folder, side)),
      folder: join(folder, `${side}-home`),
      path: process.env['PATH'] ?? '',
    };
    const played: (readonly Answer[])[] = [];
    for (const chapter of [...session, ...(side === 'embedded' ? [unsupported] : [])]) {
      played.push(await playChapter(shell, chapter));
    }
    return played;
  }

  async function startEmbedded(place: string): Promise<string> {
    const cluster = await startEmbeddedKubernetes({ folder: place });
    stops.push(() => cluster.stop());
    const connection = connectCluster({ kubeconfigPath: cluster.kubeconfigFile, now: Date.now });
    await applyCrds(connection, readCrds(ownCrds));
    await connection.close();
    return cluster.kubeconfigFile;
  }

  async function startReal(place: string): Promise<string> {
    const plane = await startControlPlane({ parts: partsOf(real), folder: place, controllerManager: true });
    stops.push(() => plane.stop());
    const connection = connectCluster({ kubeconfigPath: plane.kubeconfigFile, now: Date.now });
    stops.push(() => connection.close());
    const pods = await runPods(connection);
    stops.push(() => pods.stop());
    return plane.kubeconfigFile;
  }

  function answerTo(side: 'embedded' | 'real', chapter: number, step: number): Answer {
    const answer = answers?.[side][chapter]?.[step];
    if (answer === undefined) throw new Error(`the ${side} API server was not asked: the session did not get so far`);
    return answer;
  }

  for (const [at, { title, steps }] of session.entries())
    describe(title, () => {
      for (const [index, { line, compared: how }] of steps.entries())
        it(`is answered alike: ${line}`, () => {
          const seen = compared({ embedded: answerTo('embedded', at, index), real: answerTo('real', at, index) }, how);

          expect(seen.embedded).toBe(seen.real);
        });
    });

  describe(unsupported.title, () => {
    for (const [index, { line }] of unsupported.steps.entries())
      it(`is refused: ${line}`, () => {
        const { stderr, code } = answerTo('embedded', session.length, index);

        expect(stderr).toContain('is not supported by the embedded API server');
        expect(code).toBe(1);
      });
  });
});
