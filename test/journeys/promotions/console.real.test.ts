import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BrowserPage, openBrowser } from '../../support/browser.ts';
import { openConsole } from '../../support/console-front.ts';
import { describeWithChromium } from '../../support/needs-chromium.ts';
import { describeWithGit } from '../../support/needs-git.ts';
import { openReleaseWorld, type ReleaseWorld } from '../../support/release-world.ts';
import { openPromotionScene, type PromotionScene } from './suites/promotion-scene.ts';

describeWithGit('a promotion of real repositories', () =>
  describeWithChromium('somebody follows it on the console', followIt),
);

function followIt(): void {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let world: ReleaseWorld;
  let scene: PromotionScene;
  let served: Awaited<ReturnType<typeof openConsole>>;
  let board: BrowserPage;
  let timeline: BrowserPage;
  beforeAll(async () => {
    browser = await openBrowser();
    world = await openReleaseWorld();
    scene = await openPromotionScene(world);
    await scene.application('shop');
    await scene.environments('poc', 'dev<poc', 'prod<dev manual');
    await scene.settle();
    served = await openConsole(world.world);
    board = await browser.page();
    await board.open(served.url);
  });
  afterAll(async () => {
    await served?.drain();
    await browser?.close();
    await world?.close();
  });

  it('finds nothing before there is anything', async () => {
    await board.sees('Nothing runs yet');
  });

  it('sees a build arrive in the first environment', async () => {
    await scene.component('web', 'registry.example.com/shop/web:v1', {}, 'shop');
    await scene.settle();

    await board.sees('Not reported');
    expect(await board.text('.row')).toContain('shop');
  });

  it('opens it, and sees it go on as Argo CD reports', async () => {
    const [run] = await scene.runs();
    timeline = await browser.page();
    await timeline.open(`${served.url}/console/promotion/${scene.namespace}/${run?.metadata.name}`);
    await timeline.sees('in progress', '#step-poc');

    await scene.deploys('poc');

    await timeline.sees('success', '#step-poc');
    await timeline.sees('in progress', '#step-dev');
    expect(await timeline.text('#step-poc .seen')).toMatch(/web\s+Synced\s+Healthy/);
  });

  it('reads why it waits while something is wrong', async () => {
    await scene.argoSays('dev', { health: 'Degraded', message: 'the image cannot be pulled' });
    await scene.settle();

    await timeline.sees('the image cannot be pulled', '.wait');
    await board.sees('the image cannot be pulled', '.row .waits');
  });

  it('sees its end, and nothing that is on its way any more', async () => {
    await scene.deploys('dev');

    await timeline.sees('Success', '.marks');
    await timeline.sees('success', '#step-dev');
    await board.sees('Healthy', '.row [data-key="dev"]');
    expect(await board.text('.row .waits')).toBe('');
    expect([...board.complaints, ...timeline.complaints]).toEqual([]);
  });
}
