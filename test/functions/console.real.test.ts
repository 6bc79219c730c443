import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type BrowserPage, openBrowser } from '../support/browser.ts';
import { consoleToken, openConsole } from '../support/console-front.ts';
import { describeWithChromium } from '../support/needs-chromium.ts';
import {
  aCell,
  ago,
  anEnvironment,
  aPromotion,
  aStep,
  openToldPromotions,
  someEvidence,
} from '../support/told-promotions.ts';
import { until } from '../support/until.ts';

describeWithChromium('the console in a real browser', () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let told: ReturnType<typeof openToldPromotions>;
  let served: Awaited<ReturnType<typeof openConsole>>;
  let page: BrowserPage;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  beforeEach(async () => {
    told = openToldPromotions();
    told.environments = [
      anEnvironment('team-a', 'dev', {
        configuration: { target: { deploymentTargetClaim: { claimName: 'dev-space' } } },
      }),
      anEnvironment('team-a', 'staging<dev'),
      anEnvironment('team-a', 'prod-eu<staging manual'),
      anEnvironment('team-a', 'prod-us<staging manual'),
    ];
    told.cells = [
      aCell('dev', { snapshot: 'shop-9xw4d' }),
      aCell('staging', { snapshot: 'shop-9xw4d', health: 'Progressing' }),
      aCell('prod-eu'),
      aCell('dev', { application: 'search', snapshot: 'search-b81kz', health: 'Degraded' }),
    ];
    const waiting = { reason: 'NotHealthy', message: 'Component web is Progressing', since: ago(1), until: ago(-4) };
    told.promotions = [aPromotion('run-1', { waiting, steps: [aStep('dev', 1), underWay('staging', 2)] })];
    served = await openConsole(told.world);
    page = await browser.page();
  });
  afterEach(async () => {
    await page.close();
    await served.drain();
  });

  function underWay(environment: string, step: number) {
    const notYet = { revision: '', sync: '', health: '', operation: '', observedAt: undefined };
    const now = { revision: 'abcdef0123', sync: 'Synced', health: 'Progressing', operation: 'Running', trouble: '' };
    return aStep(environment, step, {
      status: 'in-progress',
      reason: 'NotHealthy',
      message: 'Component web is Progressing',
      endedAt: undefined,
      evidence: [someEvidence('cart'), someEvidence('web', { ...notYet, now })],
    });
  }

  /** It asked nobody but us, and neither threw nor tried what its policy forbids. */
  function expectClean(): void {
    expect(new Set(page.requests.map((url) => new URL(url).origin))).toEqual(new Set([served.url]));
    expect(page.complaints).toEqual([]);
  }

  it('shows the board: what runs where, how it does, what waits and why', async () => {
    await page.open(served.url);
    await page.sees('What runs where');

    const text = await page.text();
    expect(await page.ask('location.pathname')).toBe('/console');
    for (const words of ['team-a', 'shop', 'search', 'prod-eu', '9xw4d', '7fk2q', 'Degraded', 'Not healthy'])
      expect(text).toContain(words);
    expect(text).toContain('Component web is Progressing');
    expect(text).toMatch(/3m \d\ds left/);
    await until('it to be live', async () => (await page.text('#live')) === 'Live');
    expectClean();
  });

  it('counts what waits for its target among what waits, also where nothing runs yet', async () => {
    const message = 'DeploymentTargetClaim dev-space is Pending';
    const step = aStep('prod-us', 1, { status: 'in-progress', reason: 'TargetNotReady', message, endedAt: undefined });
    const waiting = { reason: 'TargetNotReady', message: `prod-us: ${message}`, since: ago(1), until: ago(-4) };
    told.cells = [aCell('dev')];
    told.promotions = [aPromotion('run-1', { waiting, steps: [step] })];

    await page.open(served.url);
    await page.sees('What runs where');

    expect(await page.text('[data-tone="waiting"] b')).toBe('1');
    expect(await page.text('[data-tone="moving"] b')).toBe('0');
    expect(await page.ask('document.querySelector(\'[data-key="prod-us"] .sign\').ariaLabel')).toBe('waiting');
    expect(await page.text('.waits')).toContain(message);
  });

  it('moves with what happens, without being loaded again', async () => {
    await page.open(`${served.url}/console/promotion/team-a/run-1`);
    await page.sees('in progress', '#step-staging');
    await page.ask('(window.isTheSame = true)');

    told.promotions = [
      aPromotion('run-1', {
        state: 'Completed',
        result: 'Success',
        completedAt: ago(0),
        steps: [aStep('dev', 1), aStep('staging', 2)],
      }),
    ];
    told.version += 1;

    await page.sees('success', '#step-staging');
    expect(await page.text('.marks')).toContain('Success');
    expect(await page.text('main')).not.toContain('Component web is Progressing');
    expect(await page.ask('window.isTheSame')).toBe(true);
    expectClean();
  });

  it('shows one promotion: its times, its wait, and the evidence of every component', async () => {
    await page.open(`${served.url}/console/promotion/team-a/run-1`);
    await page.sees('Evidence');

    const text = await page.text();
    for (const words of ['run-1', 'the new snapshot shop-9xw4d', 'Target ready', '9c1f3a2', 'Synced', 'Succeeded'])
      expect(text).toContain(words);
    expect(await page.text('#step-staging .not-yet')).toMatch(/web\s+Synced\s+Progressing\s+abcdef0\s+Running/);
    expect(await page.text('.ahead')).toMatch(/prod-eu\s+is manual/);
    expect(await page.ask('document.querySelectorAll(".lane-bar").length')).toBe(3);
    expectClean();
  });

  it('draws the graph, and what travels over it', async () => {
    await page.open(`${served.url}/console/graph/team-a/shop`);
    await page.sees('Promotions');

    expect(
      await page.ask('[...document.querySelectorAll(".environment .name")].map((one) => one.textContent)'),
    ).toEqual(['dev', 'staging', 'prod-eu', 'prod-us']);
    expect(await page.ask('document.querySelectorAll(".edge.manual > .gate").length')).toBe(3);
    expect(await page.ask('document.querySelectorAll(".drawing .traveller").length')).toBe(1);
    expect(await page.ask('document.querySelector(".drawing").textContent')).toContain('claim dev-space');
    expectClean();
  });

  it('goes from an environment of the graph to its promotion without being loaded again', async () => {
    await page.open(`${served.url}/console/graph/team-a/shop`);
    await page.sees('Promotions');
    await page.ask('(window.isTheSame = true)');
    const { x, y } = await page.ask<{ x: number; y: number }>(
      `document.querySelector('[data-key="at-staging"] .card').getBoundingClientRect().toJSON()`,
    );

    for (const type of ['mousePressed', 'mouseReleased'])
      await page.send('Input.dispatchMouseEvent', { type, x: x + 40, y: y + 20, button: 'left', clickCount: 1 });
    await page.sees('Evidence');

    expect(await page.ask('location.pathname')).toBe('/console/promotion/team-a/run-1');
    expect(await page.ask('window.isTheSame')).toBe(true);
    expectClean();
  });

  it('shows both of two promotions of one name, also after something has changed', async () => {
    const rows = () => page.ask<string>('[...document.querySelectorAll(".list tbody tr")].map((one) => one.innerText)');
    const older = { id: 'older', state: 'Completed', result: 'Deleted', createdAt: ago(30) } as const;
    told.promotions = [aPromotion('friday', { id: 'newer' }), aPromotion('friday', older)];
    await page.open(`${served.url}/console/graph/team-a/shop`);
    await page.sees('Deleted', '.list');
    expect(await rows()).toEqual([
      expect.stringMatching(/^Active\s+friday/),
      expect.stringMatching(/^Deleted\s+friday/),
    ]);

    told.promotions = [
      aPromotion('friday', { id: 'newer', state: 'Completed', result: 'Success', completedAt: ago(0) }),
      aPromotion('friday', older),
    ];
    told.version += 1;
    await page.sees('Success', '.list');

    expect(await rows()).toEqual([
      expect.stringMatching(/^Success\s+friday/),
      expect.stringMatching(/^Deleted\s+friday/),
    ]);
    expectClean();
  });

  it('loses nothing where two elements have one key', async () => {
    await page.open(served.url);
    await page.sees('What runs where');

    const drawn = await page.ask(`import('/console/public/dom.js').then(({ el, morphChildren }) => {
      const list = el('ol');
      for (const words of [['a', 'b'], ['c', 'd'], ['e', 'f']])
        morphChildren(list, words.map((word) => el('li', { 'data-key': 'one' }, word)));
      return [...list.children].map((one) => one.textContent);
    })`);

    expect(drawn).toEqual(['e', 'f']);
  });

  it.each([1_440, 1_120, 880, 820, 740, 720, 390])(
    'has times over %s pixels that stay inside and apart, of today and of another day',
    async (width) => {
      const narrow = await browser.page({ width, height: 900 });
      try {
        for (const begun of [0.1, 3_000]) {
          const [createdAt, completedAt] = [ago(begun), ago(begun - 0.05)];
          const steps = [aStep('dev', 1, { beganAt: createdAt, readyAt: createdAt, endedAt: completedAt })];
          const times = { createdAt, startedAt: createdAt, completedAt, steps };
          told.promotions = [aPromotion(`run-${begun}`, { state: 'Completed', result: 'Success', ...times })];
          told.version += 1;
          await narrow.open(`${served.url}/console/promotion/team-a/run-${begun}`);
          await narrow.sees('Evidence');

          const shown = await narrow.ask<{ from: number; to: number }[]>(`
            [...document.querySelectorAll('.axis span')]
              .filter((one) => getComputedStyle(one).color !== 'rgba(0, 0, 0, 0)')
              .map((one) => {
                const range = document.createRange();
                range.selectNodeContents(one);
                const { left, right } = range.getBoundingClientRect();
                return { from: left, to: right };
              })`);
          const begin = await narrow.ask<number>('document.querySelector(".span").getBoundingClientRect().left');
          const end = await narrow.ask<number>('document.querySelector(".lane-way").getBoundingClientRect().right');

          expect(shown.length).toBeGreaterThan(1);
          expect(shown[0]?.from).toBeGreaterThan(begin + 5);
          for (const [at, { to }] of shown.entries()) expect(to).toBeLessThan(shown[at + 1]?.from ?? end);
        }
      } finally {
        await narrow.close();
      }
    },
  );

  it('shows what tenants wrote as they wrote it', async () => {
    const wild = `<img src=x onerror="window.isTaken=1"><script>window.isTaken=1</script>`;
    told.cells = [
      aCell('dev', { application: wild, snapshot: wild, trouble: { reason: wild, message: wild, since: ago(1) } }),
    ];
    const waiting = { reason: wild, message: wild, since: ago(1), until: ago(-1) };
    const step = aStep(wild, 1, { reason: wild, message: wild, status: 'failed', evidence: [someEvidence(wild)] });
    told.promotions = [aPromotion('run-1', { application: wild, snapshot: wild, cause: wild, waiting, steps: [step] })];

    for (const path of ['', '/graph/team-a', `/graph/team-a/${encodeURIComponent(wild)}`, '/promotion/team-a/run-1']) {
      await page.open(`${served.url}/console${path}`);
      await page.sees('<script>window.isTaken=1</script>');
      expect(
        await page.ask('[window.isTaken === undefined, document.querySelectorAll("main img, main script").length]'),
      ).toEqual([true, 0]);
    }
    expectClean();
  });

  it('is dark where the system is, and as the reader chose from then on', async () => {
    const background = () => page.ask<string>('getComputedStyle(document.body).backgroundColor');
    await page.prefer('dark');
    await page.open(served.url);
    await page.sees('What runs where');
    expect(await background()).toBe('rgb(14, 17, 22)');

    await page.prefer('light');
    expect(await background()).toBe('rgb(245, 243, 238)');
    await page.press('t');
    expect(await background()).toBe('rgb(14, 17, 22)');
    await page.open(`${served.url}/console/graph/team-a`);
    await page.sees('Under way');
    expect(await background()).toBe('rgb(14, 17, 22)');
    expectClean();
  });

  it('fits a telephone: what is wider than the screen moves by itself', async () => {
    const narrow = await browser.page({ width: 390, height: 844 });
    try {
      for (const [path, words] of [
        ['', 'What runs where'],
        ['/graph/team-a', 'Under way'],
        ['/promotion/team-a/run-1', 'Evidence'],
      ] as const) {
        await narrow.open(`${served.url}/console${path}`);
        await narrow.sees(words);
        expect(await narrow.ask('document.documentElement.scrollWidth <= innerWidth'), path).toBe(true);
      }
      expect(narrow.complaints).toEqual([]);
    } finally {
      await narrow.close();
    }
  });

  it.each([1_400, 820, 390])(
    'moves the environments alone where there are more than fit into %s pixels, each below its name',
    async (width) => {
      const regions = Array.from({ length: 20 }, (_, at) => `region-${at}-with-a-long-name`);
      told.environments = ['dev', ...regions.map((name) => `${name}<dev`)].map((one) => anEnvironment('team-a', one));
      told.cells = [...told.cells, aCell('dev', { namespace: 'team-b', application: 'a-name-of-some-length' })];
      const narrow = await browser.page({ width, height: 900 });
      try {
        await narrow.open(served.url);
        await narrow.sees('What runs where');
        const left = (selector: string) =>
          narrow.ask<number>(`document.querySelector('${selector}').getBoundingClientRect().x`);
        expect(await narrow.ask('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
        expect(await left('.names .place:nth-child(4)')).toBe(await left('.row > :nth-child(4)'));

        await narrow.ask('document.querySelector(".namespace-part").scrollTo(10_000, 0)');

        expect(await left('[data-key="shop"] .application')).toBeGreaterThan(0);
        expect(await left('[data-key="shop"] .waits')).toBeLessThan(width - 150);
      } finally {
        await narrow.close();
      }
    },
  );

  it('says of a step that failed which components were not seen in time', async () => {
    const [seen, awaited] = underWay('staging', 2).evidence;
    const late = { ...awaited, now: undefined } as NonNullable<typeof awaited>;
    const step = aStep('staging', 2, { status: 'failed', evidence: seen === undefined ? [] : [seen, late] });
    told.promotions = [aPromotion('run-1', { state: 'Completed', result: 'Failure', steps: [step] })];

    await page.open(`${served.url}/console/promotion/team-a/run-1`);
    await page.sees('Evidence');

    expect(await page.text('#step-staging .not-yet')).toMatch(/web.*not in time/s);
    expect(await page.ask('document.querySelector("#step-staging .not-yet .sign").ariaLabel')).toBe('in trouble');
    expectClean();
  });

  it('goes on where a page begins, and back to where the reader was', async () => {
    const focused = () => page.ask<string>('document.activeElement.id || document.activeElement.innerText.trim()');
    await page.open(served.url);
    await page.sees('What runs where');
    await page.press('ArrowDown');
    await page.press('ArrowDown');
    expect(await focused()).toBe('shop');

    await page.press('Enter');
    await page.sees('Promotions');
    expect(await focused()).toBe('main');
    await page.ask(`(() => {
      const list = document.querySelector('#application');
      list.focus();
      list.value = 'search';
      list.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
    await page.sees('search', 'h1');
    expect(await focused()).toBe('application');

    await page.ask('history.go(-2)');
    await page.sees('What runs where');
    expect(await focused()).toBe('shop');
    expectClean();
  });

  it('needs no mouse', async () => {
    const focused = () => page.ask<string>('document.activeElement.innerText.trim()');
    await page.open(served.url);
    await page.sees('What runs where');

    await page.press('/');
    await page.type('shop');
    await page.sees('1 of 2 applications');
    expect(await page.text('.grid')).not.toContain('search');
    await page.press('ArrowDown');
    expect(await focused()).toBe('shop');
    await page.press('ArrowRight');
    await page.press('l');
    expect(await focused()).toContain('Not healthy');
    await page.press('Enter');
    await page.sees('Evidence');
    expect(await page.ask('location.pathname')).toBe('/console/promotion/team-a/run-1');

    await page.press('b');
    await page.sees('2 applications');
    await page.press('ArrowDown');
    await page.press('ArrowDown');
    expect(await focused()).toBe('shop');
    await page.press('g');
    await page.sees('Under way');
    await page.press('?');
    expect(await page.ask('document.querySelector("#keys").open')).toBe(true);
    await page.press('Escape');
    expect(await page.ask('document.querySelector("#keys").open')).toBe(false);
    expectClean();
  });

  it('tells whoever listens the cells of the board, and the links in them', async () => {
    interface Node {
      readonly nodeId: string;
      readonly parentId?: string;
      readonly role?: { readonly value: string };
      readonly name?: { readonly value: string };
    }
    await page.open(served.url);
    await page.sees('What runs where');

    const { nodes } = (await page.send('Accessibility.getFullAXTree')) as { nodes: readonly Node[] };
    const roleOf = new Map(nodes.map(({ nodeId, role }) => [nodeId, role?.value]));
    const links = nodes
      .filter(({ role, parentId }) => role?.value === 'link' && /cell|rowheader/.test(roleOf.get(parentId ?? '') ?? ''))
      .map(({ name, parentId }) => `${roleOf.get(parentId ?? '')}: ${name?.value}`);

    expect(links).toContain('rowheader: shop');
    expect(links).toContainEqual(expect.stringMatching(/^gridcell: .*9xw4d.*Not healthy/));
    expect(links).toContainEqual(expect.stringMatching(/^gridcell: .*Component web is Progressing/));
  });

  it('keeps the place of the reader when rows change', async () => {
    await page.open(served.url);
    await page.sees('What runs where');
    await page.press('ArrowDown');
    await page.press('ArrowRight');
    const place =
      'document.activeElement.closest(".row").dataset.key + "/" + document.activeElement.closest("[data-key]").dataset.key';
    expect(await page.ask(place)).toBe('search/dev');

    told.cells = told.cells.map((cell) => ({ ...cell, snapshot: `${cell.application}-newer` }));
    told.version += 1;

    await page.sees('newer');
    expect(await page.ask(place)).toBe('search/dev');
  });

  it('shows a thousand applications, and finds one among them', async () => {
    const tenants = Array.from({ length: 50 }, (_, at) => `tenant-${at}`);
    told.environments = tenants.flatMap((namespace) => [
      anEnvironment(namespace, 'dev'),
      anEnvironment(namespace, 'staging<dev'),
      anEnvironment(namespace, 'prod<staging manual'),
    ]);
    told.cells = tenants.flatMap((namespace, tenant) =>
      Array.from({ length: 20 }, (_, at) => `app-${tenant}-${at}`).flatMap((application) =>
        ['dev', 'staging', 'prod'].map((environment) =>
          aCell(environment, { namespace, application, snapshot: `${application}-first` }),
        ),
      ),
    );
    told.promotions = [];

    await page.open(served.url);
    await page.sees('1000 applications', '.count');
    await page.ask('scrollTo(0, document.documentElement.scrollHeight)');
    expect(await page.ask('document.querySelectorAll(".row").length')).toBe(1_000);

    told.cells = told.cells.map((cell) =>
      cell.application === 'app-49-19' ? { ...cell, snapshot: 'app-49-19-second' } : cell,
    );
    told.version += 1;
    await page.press('/');
    await page.type('app-49-19');
    await page.sees('1 of 1000 applications', '.count');
    await page.sees('second', '.grid');
    await page.press('Escape');
    await page.sees('1000 applications', '.count');
    expectClean();
  });

  it('asks who looks where it must, and keeps the token out of every address', async () => {
    await served.drain();
    served = await openConsole(told.world, { viewers: { tokens: [consoleToken], openTo: 'nobody' } });
    await page.open(`${served.url}/console/graph/team-a`);
    await page.sees('Who looks?');

    await page.type('not-the-right-one');
    await page.press('Enter');
    await page.sees('That is not one of the tokens');
    await page.type(consoleToken);
    await page.press('Enter');
    await page.sees('Under way');

    expect(await page.ask('document.cookie')).toBe('');
    expect(page.requests.filter((url) => url.includes(consoleToken))).toEqual([]);
    await page.open(served.url);
    await page.sees('What runs where');
    await page.ask('document.querySelector("#leave").click()');
    await page.sees('Who looks?');
  });

  it('says why it lets nobody in, and keeps the token of whoever may try again', async () => {
    await served.drain();
    served = await openConsole(told.world, { viewers: { tokens: [consoleToken], openTo: 'nobody' } });
    await page.open(served.url);
    await page.sees('Who looks?');

    await page.ask('(document.querySelector("#token").value = "☃")');
    await page.press('Enter');
    await page.sees('That is not one of the tokens');
    await page.type(consoleToken);
    await page.send('Network.setBlockedURLs', { urls: ['*/console/session'] });
    await page.press('Enter');
    await page.sees('Stagecoach does not answer', '.wrong');
    await page.send('Network.setBlockedURLs', { urls: [] });
    await page.ask(`(() => {
      document.querySelector('.wrong').textContent = '';
      const { fetch } = window;
      window.fetch = async () => {
        window.fetch = fetch;
        return new Response('', { status: 502 });
      };
    })()`);
    await page.press('Enter');
    await page.sees('Stagecoach does not answer', '.wrong');
    await page.press('Enter');

    await page.sees('What runs where');
  });

  it('asks by itself where no stream comes through', async () => {
    await page.send('Network.setBlockedURLs', { urls: ['*/console/events'] });
    await page.open(served.url);
    await page.sees('What runs where');
    await until('it to ask by itself', async () => (await page.text('#live')) === 'Every few seconds');

    told.cells = [aCell('dev', { snapshot: 'shop-later' })];
    told.version += 1;

    await page.sees('later');
  });

  it('says that it is live again after a look that failed', async () => {
    await page.open(served.url);
    await page.sees('What runs where');
    await until('it to be live', async () => (await page.text('#live')) === 'Live');

    await page.send('Network.setBlockedURLs', { urls: ['*/console/data/*'] });
    told.version += 1;
    await until('it to notice', async () => (await page.text('#live')) === 'Connecting');
    await page.send('Network.setBlockedURLs', { urls: [] });
    told.version += 1;

    await until('it to be live again', async () => (await page.text('#live')) === 'Live');
  });

  it('comes back by itself after the host was replaced by another', async () => {
    await page.open(served.url);
    await page.sees('What runs where');
    await until('it to be live', async () => (await page.text('#live')) === 'Live');
    const { port } = new URL(served.url);

    await served.drain();
    await until('it to notice', async () => (await page.text('#live')) !== 'Live');
    told.cells = [aCell('dev', { snapshot: 'shop-after' })];
    told.version += 1;
    served = await openConsole(told.world, {}, Number(port));

    await page.sees('after');
  });
});
