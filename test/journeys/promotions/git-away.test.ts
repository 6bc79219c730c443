import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, vi } from 'vitest';
import { describeWithGit } from '../../support/needs-git.ts';
import { openReleaseWorld } from '../../support/release-world.ts';
import { inPromotionScenes, type TimedScene } from './suites/promotion-scene.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Stands before the server, and hangs up on everybody while Git is away. */
async function openFront(server: string) {
  let isAway = false;
  const front = createServer((asked, answer) => {
    if (isAway) {
      asked.socket.destroy();
      return;
    }
    const { method, headers } = asked;
    const onward = request(new URL(asked.url ?? '/', server), { method, headers }, (found) => {
      answer.writeHead(found.statusCode ?? 500, found.headers);
      found.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  });
  await new Promise<void>((listens) => void front.listen(0, '127.0.0.1', listens));
  return {
    url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    leave(): void {
      isAway = true;
    },
    comeBack(): void {
      isAway = false;
    },
    close(): void {
      front.close();
      front.closeAllConnections();
    },
  };
}

describeWithGit('a promotion whose proof only Git can give, while Git is away', () => {
  let scene: TimedScene;
  let front: Awaited<ReturnType<typeof openFront>>;
  const beforeGit = async (server: string) => {
    front = await openFront(server);
    return front;
  };
  inPromotionScenes(
    () => openReleaseWorld({ beforeGit }),
    async (fresh) => {
      scene = fresh;
      await scene.shop('web');
      await scene.environments('dev manual', 'qa manual');
      await scene.snapshot('one', { web: 'quay.io/shop/web:1' });
      await scene.promote('a', 'one', 'dev');
      await scene.settle();
      // Somebody pushes on top of ours, and Argo CD is well there.
      await scene.world.git.commit(await scene.repository(), { 'README.md': 'ours\n' });
      front.leave();
      await scene.deploys('dev');
    },
  );

  it('says what it waits for, and is done when Git is back', async () => {
    expect(await scene.waits('a')).toMatch(/^RevisionUnknown for 300 s: dev: Component web is well at revision/);

    front.comeBack();
    await scene.pass(120);

    expect(await scene.stands('a')).toBe('Completed, Success, 1 dev success');
  });

  it('ends in time all the same, and keeps nobody waiting behind it', async () => {
    await scene.promote('b', 'one', 'qa');
    await scene.settle();

    await scene.pass(305);

    expect(await scene.stands('a')).toBe('Completed, Failure, 1 dev failed');
    expect(await scene.stands('b')).toBe('Active, 1 qa in-progress');
    front.comeBack();
  });
});
