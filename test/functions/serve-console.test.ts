import { request as httpRequest } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { getTestServer } from '@google-cloud/functions-framework/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveConsole } from '../../functions/serve-console/index.ts';
import { followerName } from '../../shared/domain/promotion/follower-name.ts';
import { Transient } from '../../shared/ports/trouble.ts';
import type { Machine } from '../../shared/runtime/machine.ts';
import { consoleToken, openConsole } from '../support/console-front.ts';
import { openEventStream } from '../support/event-stream.ts';
import { aCell, ago, anEnvironment, aPromotion, aStep, openToldPromotions } from '../support/told-promotions.ts';
import { until } from '../support/until.ts';

let told: ReturnType<typeof openToldPromotions>;
let served: Awaited<ReturnType<typeof openConsole>>;

beforeEach(async () => {
  told = openToldPromotions();
  told.environments = [
    anEnvironment('team-a', 'dev'),
    anEnvironment('team-a', 'prod<staging manual'),
    anEnvironment('team-a', 'staging<dev'),
  ];
  told.cells = [aCell('dev', { snapshot: 'shop-9xw4d' }), aCell('staging'), aCell('prod')];
  told.promotions = [
    aPromotion('run-1', {
      steps: [
        aStep('dev', 1),
        aStep('staging', 2, { status: 'in-progress', reason: 'NotReported', endedAt: undefined }),
      ],
    }),
    aPromotion('run-2', { state: 'Waiting', cause: 'PromotionRun run-1', startedAt: undefined }),
  ];
  served = await openConsole(told.world);
});
afterEach(() => served.drain());

/** Another door to the same world. */
async function serveAgain(but: Partial<Machine>): Promise<void> {
  await served.drain();
  served = await openConsole(told.world, but);
}

interface Raw {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** As it is written here: a browser would tidy up paths before it sends them. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET', body = ''): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(served.url);
    const request = httpRequest({ hostname, port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const whole = Buffer.concat(chunks);
        const isPacked = response.headers['content-encoding'] === 'gzip';
        const text = (isPacked ? gunzipSync(whole) : whole).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

const guarded = { viewers: { tokens: [consoleToken], openTo: 'nobody' as const } };
const known = { authorization: `Bearer ${consoleToken}` };

describe('the page', () => {
  it('is what the root of the host leads to', async () => {
    expect(await ask('/')).toMatchObject({ status: 302, headers: { location: '/console' } });
    expect(await ask('/console/')).toMatchObject({ status: 302, headers: { location: '/console' } });
  });

  it.each(['/console', '/console/board?q=x', '/console/graph/team-a/shop', '/console/promotion/team-a/run-1'])(
    '%s is a page',
    async (path) => {
      const { status, headers, text } = await ask(path);

      expect(status).toBe(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(text).toContain('<title>Stagecoach</title>');
    },
  );

  it.each([
    '/console/nobody',
    '/console/public/nothing.js',
    '/console/public/../index.ts',
    '/console/public/..%2findex.ts',
    '/console/public/%2e%2e/index.ts',
    '/console/public/views/../../index.ts',
    '/console/public/..%5cindex.ts',
    '/console/public//etc/passwd',
    '/console/public/',
    '/console/public',
    '/console/%',
    '/console/data/board/%E0%A4%A',
    `/console/data/promotion/team-a/${'x'.repeat(300)}`,
    '/console/data/graph/a/b/c/d/e',
    '/console/data/nobody',
    '/console/data',
    '/console/data/promotion/team-a/nobody',
    '/console/data/graph/nobody',
    '/console/data/graph/team-a/nobody',
  ])('%s is not there', async (path) => {
    const { status, text } = await ask(path);

    expect(status).toBe(404);
    expect(JSON.parse(text)).toEqual({ error: expect.any(String) });
  });

  it.each(['/console/what/ever', '/console/nobody', '/console/a/b/c/d/e/f'])(
    '%s says to a browser that there is no such page',
    async (path) => {
      const { status, headers, text } = await ask(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
      const head = await ask(path, { accept: 'text/html' }, 'HEAD');

      expect(status).toBe(404);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      });
      expect(text).toContain('There is no such page');
      expect(text).not.toMatch(/<script(?![^>]*src=)|<style|\sstyle=|https?:/);
      expect(head).toMatchObject({ status: 404, text: '' });
    },
  );

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s changes nothing, wherever it is sent', async (method) => {
    for (const path of ['/console', '/console/data/board', '/console/session', '/'])
      expect(await ask(path, known, method)).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });

  it('reads no body, not even one that comes with a GET', async () => {
    expect((await ask('/console', { 'content-length': '9' }, 'GET', 'x'.repeat(9))).status).toBe(405);
    expect((await ask('/console', { 'transfer-encoding': 'chunked' }, 'GET', 'x')).status).toBe(405);
  });

  it('answers HEAD as GET, without the body', async () => {
    const [whole, head] = [await ask('/console/data/board'), await ask('/console/data/board', {}, 'HEAD')];

    expect(head).toMatchObject({ status: 200, text: '', headers: { etag: whole.headers['etag'] } });
    expect(head.headers['content-length']).toBe(whole.headers['content-length']);
  });

  it('lets nothing in from elsewhere, and nobody frame or read it', async () => {
    for (const path of ['/console', '/console/public/console.js', '/console/data/board', '/console/nobody', '/']) {
      const { headers } = await ask(path);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
      });
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy).not.toContain('unsafe');
      expect(policy).not.toContain('http');
      expect(headers).not.toHaveProperty('access-control-allow-origin');
      expect(headers).not.toHaveProperty('x-powered-by');
    }
  });

  it('has no script and no style of its own in the markup, and names no other host', async () => {
    const { text } = await ask('/console');

    expect(text).not.toMatch(/<script(?![^>]*src=)/);
    expect(text).not.toMatch(/<style|\sstyle=|\son[a-z]+=|https?:/);
  });

  it('is kept by browsers and asked about: what has not changed costs no bytes', async () => {
    const { headers } = await ask('/console/public/console.js', { 'accept-encoding': 'gzip, br' });
    const again = await ask('/console/public/console.js', { 'if-none-match': String(headers['etag']) });

    expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'cache-control': 'no-cache', vary: 'accept-encoding' });
    expect(again).toMatchObject({ status: 304, text: '' });
  });
});

describe('what is shown', () => {
  it('the board has every namespace, its environments in their order, and what is on its way', async () => {
    const { text, headers } = await ask('/console/data/board');

    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'private, no-cache' });
    expect(JSON.parse(text)).toMatchObject({
      areEnvironmentsKnown: true,
      namespaces: [
        {
          name: 'team-a',
          environments: [{ name: 'dev' }, { name: 'staging' }, { name: 'prod', isAutomated: false }],
          applications: [
            {
              name: 'shop',
              cells: [
                { environment: 'dev', tone: 'good', snapshot: 'shop-9xw4d' },
                { environment: 'staging', tone: 'moving', promotion: 'run-1', says: { reason: 'NotReported' } },
                { environment: 'prod', tone: 'good' },
              ],
              promotions: [
                { name: 'run-1', state: 'Active' },
                { name: 'run-2', state: 'Waiting' },
              ],
            },
          ],
        },
      ],
    });
  });

  it.each([
    ['is Healthy and Synced', {}, 'good'],
    ['is Healthy and not Synced', { sync: 'OutOfSync' }, 'waiting'],
    ['is Degraded', { health: 'Degraded' }, 'bad'],
    ['is Missing', { health: 'Missing' }, 'bad'],
    ['is Progressing', { health: 'Progressing' }, 'moving'],
    ['is Suspended', { health: 'Suspended' }, 'waiting'],
    ['was never reported', { health: '', sync: '' }, 'unknown'],
    ['is not in Git yet', { isRendered: false }, 'moving'],
    [
      'cannot be written to Git',
      { trouble: { reason: 'Refused', message: 'no', since: '2026-01-01T00:00:00Z' } },
      'bad',
    ],
  ])('what %s has a tone for it', async (_what, but, tone) => {
    told.promotions = [];
    told.cells = [aCell('dev', but)];

    const { text } = await ask('/console/data/board');

    expect(JSON.parse(text)).toMatchObject({ namespaces: [{ applications: [{ cells: [{ tone }] }] }] });
  });

  it.each([
    ['Begun', 'moving'],
    ['Rendering', 'moving'],
    ['NotReported', 'moving'],
    ['OlderRevision', 'moving'],
    ['NotHealthy', 'moving'],
    ['TargetNotReady', 'waiting'],
    ['RepositoryNotReady', 'waiting'],
  ])('a step of which the reason is %s is %s, and so is its promotion', async (reason, tone) => {
    const step = aStep('staging', 1, { status: 'in-progress', reason, endedAt: undefined });
    const waiting = { reason, message: '', since: ago(1), until: ago(-1) };
    told.promotions = [aPromotion('run-1', { steps: [step], waiting })];
    told.cells = [aCell('staging')];

    const { text } = await ask('/console/data/board');

    const way = [{ environment: 'staging', tone }];
    const application = { cells: [{ tone }], promotions: [{ name: 'run-1', tone, way }] };
    expect(JSON.parse(text)).toMatchObject({ namespaces: [{ applications: [application] }] });
    expect(JSON.parse((await ask('/console/data/promotion/team-a/run-1')).text)).toMatchObject({
      tone,
      steps: [{ tone }],
    });
  });

  it.each([
    [
      'is in trouble, with the reason',
      'Progressing',
      { tone: 'bad', promotion: 'run-1', says: { reason: 'NotHealthy' } },
    ],
    ['may get well after all', 'Healthy', { tone: 'good' }],
  ])('what a promotion gave up on %s', async (_what, health, cell) => {
    const steps = [
      aStep('dev', 1, { status: 'failed', reason: 'NotHealthy', message: 'Component web is Progressing' }),
    ];
    told.promotions = [aPromotion('run-1', { state: 'Completed', result: 'Failure', snapshot: 'shop-7fk2q', steps })];
    told.cells = [aCell('dev', { health })];

    const { text } = await ask('/console/data/board');

    const promotions = [{ name: 'run-1', tone: 'bad' }];
    expect(JSON.parse(text)).toMatchObject({ namespaces: [{ applications: [{ cells: [cell], promotions }] }] });
    expect(JSON.parse((await ask('/console/data/graph/team-a/shop')).text)).toMatchObject({ cells: [cell] });
  });

  it('environments that are gone, and applications that only wait, are there as well', async () => {
    told.cells = [aCell('old')];
    told.promotions = [aPromotion('first', { namespace: 'team-b', application: 'web', state: 'Waiting' })];

    const { namespaces } = JSON.parse((await ask('/console/data/board')).text) as {
      namespaces: { name: string; environments: { name: string }[]; applications: { name: string }[] }[];
    };

    expect(namespaces.map(({ name }) => name)).toEqual(['team-a', 'team-b']);
    expect(namespaces[0]?.environments.map(({ name }) => name)).toEqual(['dev', 'staging', 'prod', 'old']);
    expect(namespaces[1]?.applications).toMatchObject([{ name: 'web', cells: [], promotions: [{ name: 'first' }] }]);
  });

  it('the graph has every environment with its parent, its way and its target', async () => {
    told.environments.push(
      anEnvironment('team-a', 'a<b'),
      anEnvironment('team-a', 'b<a'),
      anEnvironment('team-a', 'hosted<gone', {
        unstableConfigurationFields: {
          kubernetesCredentials: { apiURL: 'https://user:secret@api.example:6443/x', targetNamespace: 'web' },
        },
      }),
      anEnvironment('team-a', 'theirs', {
        deploymentController: 'other',
        configuration: { target: { deploymentTargetClaim: { claimName: 'space' } } },
      }),
    );
    const { text } = await ask('/console/data/graph/team-a/shop');

    expect(text).not.toContain('secret');
    expect(JSON.parse(text)).toMatchObject({
      namespaces: ['team-a'],
      applications: ['shop'],
      environments: [
        { name: 'dev', parent: '', depth: 0, isAutomated: true, target: 'its own namespace', controller: '' },
        { name: 'staging', parent: 'dev', depth: 1 },
        { name: 'prod', parent: 'staging', depth: 2, isAutomated: false },
        { name: 'hosted', isParentMissing: true, depth: 0, target: 'api.example:6443 · web' },
        { name: 'theirs', controller: 'other', target: 'claim space' },
        { name: 'a', parent: 'b' },
        { name: 'b', parent: 'a' },
      ],
      promotions: [{ name: 'run-1' }, { name: 'run-2' }],
    });
    expect(JSON.parse((await ask('/console/data/graph')).text)).toEqual({
      areEnvironmentsKnown: true,
      namespaces: ['team-a'],
    });
  });

  it('an application has a graph as long as anything is known of it', async () => {
    const graph = async () =>
      (await ask('/console/data/graph/team-a/shop', { 'x-seen-version': String(told.version) })).status;
    told.cells = [];
    expect(await graph()).toBe(200);

    told.promotions = [];
    told.version += 1;
    expect(await graph()).toBe(404);
  });

  it('the board draws no line to environments of which no promotion ever gets to any', async () => {
    told.environments = [
      anEnvironment('team-a', 'a<b'),
      anEnvironment('team-a', 'b<a'),
      anEnvironment('team-a', 'c<b'),
    ];

    const { namespaces } = JSON.parse((await ask('/console/data/board')).text) as {
      namespaces: { environments: { name: string; parent: string }[] }[];
    };

    const [a, b, c] = namespaces[0]?.environments ?? [];
    expect([a, b, c]).toMatchObject([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
    for (const one of [a, b, c]) expect(one).toMatchObject({ parent: '' });
  });

  it('a promotion has its steps, its evidence, its cause and who follows it', async () => {
    const follower = followerName({ name: 'run-1', uid: 'uid-of-run-1' });
    told.promotions.push(aPromotion(follower, { state: 'Waiting', cause: 'PromotionRun run-1' }));

    expect(JSON.parse((await ask('/console/data/promotion/team-a/run-1')).text)).toMatchObject({
      name: 'run-1',
      tone: 'moving',
      cause: { kind: 'Snapshot', name: 'shop-9xw4d' },
      steps: [
        { environment: 'dev', evidence: [{ component: 'cart', sync: 'Synced', health: 'Healthy' }, {}, {}] },
        { environment: 'staging', status: 'in-progress' },
      ],
      followers: [{ name: follower }],
      environments: [{ name: 'dev' }, { name: 'staging' }, { name: 'prod' }],
    });
  });

  it('of two promotions of one name each has an id of its own, and the newer not the follower of the older', async () => {
    const older = { id: '11111111-old', state: 'Completed', result: 'Deleted', createdAt: ago(30) } as const;
    told.promotions = [
      aPromotion('friday', { id: '22222222-new' }),
      aPromotion('friday', older),
      aPromotion(followerName({ name: 'friday', uid: older.id }), { cause: 'PromotionRun friday', createdAt: ago(29) }),
    ];

    const { followers } = JSON.parse((await ask('/console/data/promotion/team-a/friday')).text) as {
      followers: unknown[];
    };
    const { promotions } = JSON.parse((await ask('/console/data/graph/team-a/shop')).text) as {
      promotions: { id: string; name: string }[];
    };

    expect(followers).toEqual([]);
    expect(promotions.filter(({ name }) => name === 'friday').map(({ id }) => id)).toEqual([
      '22222222-new',
      '11111111-old',
    ]);
  });

  it('is there without the cluster, which only tells the order', async () => {
    const { world } = told;
    const local = {
      // biome-ignore lint/correctness/useYield: it fails before there is anything to give.
      async *list() {
        throw new Transient('cluster', 'away');
      },
    };
    await served.drain();
    served = await openConsole({ ...world, clusters: { local } } as unknown as typeof world);

    const { text } = await ask('/console/data/board');

    expect(JSON.parse(text)).toMatchObject({ areEnvironmentsKnown: false, namespaces: [{ name: 'team-a' }] });
    expect(served.lines).toContain('environments cannot be listed');
  });

  it('says that a part is away, and no more than that', async () => {
    told.away = new Transient('database', 'connection to 10.0.0.7 refused');

    const { status, text } = await ask('/console/data/board');

    expect(status).toBe(503);
    expect(text).not.toContain('10.0.0.7');
  });

  it('says that it is broken, and no more than that', async () => {
    told.away = new Error('cannot read properties of undefined');

    const { status, text } = await ask('/console/data/board');

    expect(status).toBe(500);
    expect(text).not.toContain('undefined');
  });

  it('is read once for all who look, until something changes', async () => {
    const [first] = await Promise.all([1, 2, 3, 4].map(() => ask('/console/data/board')));
    await ask('/console/data/board');
    expect(told.asked).toMatchObject({ board: 1, environments: 1 });

    told.cells = [];
    told.version += 1;
    const after = await ask('/console/data/board', { 'x-seen-version': String(told.version) });

    expect(after.headers['etag']).not.toBe(first?.headers['etag']);
    expect(told.asked).toMatchObject({ board: 2, environments: 1 });
  });
});

describe('whoever looks', () => {
  it.each([
    ['without a token', {}],
    ['with the token of the webhooks', { authorization: 'Bearer a-token-of-the-webhooks-alone' }],
    ['with half a token', { authorization: `Bearer ${consoleToken.slice(0, 16)}` }],
    ['with a token in the address', {}, `?token=${consoleToken}`],
    ['with a cookie that nobody made', { cookie: `stagecoach-console=9999999999.${'x'.repeat(43)}` }],
    ['with an empty cookie', { cookie: 'stagecoach-console=' }],
  ])('%s sees the page, and nothing on it', async (_who, headers, query = '') => {
    await serveAgain(guarded);

    expect((await ask('/console')).status).toBe(200);
    for (const path of ['/console/data/board', '/console/events', '/console/session']) {
      const { status, text } = await ask(`${path}${query}`, headers as Record<string, string>);
      expect(status).toBe(401);
      expect(text).toContain('CONSOLE_TOKEN_FILE');
    }
  });

  it('with a token sees everything, and gets a cookie that stands for it', async () => {
    await serveAgain(guarded);

    const { status, headers } = await ask('/console/session', known);
    const [cookie = ''] = headers['set-cookie'] ?? [];
    const [pair = ''] = cookie.split(';');

    expect(status).toBe(200);
    expect(cookie).toMatch(/; Path=\/console; Max-Age=43200; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(consoleToken);
    expect((await ask('/console/data/board', known)).status).toBe(200);
    expect((await ask('/console/data/board', { cookie: `other=1; ${pair}` })).status).toBe(200);
    const proxied = await ask('/console/session', { ...known, 'x-forwarded-proto': 'https' });
    expect(String(proxied.headers['set-cookie'])).toMatch(/; Secure$/);
  });

  it('has a session until it ends, or the token does', async () => {
    const now = Date.now();
    await serveAgain(guarded);
    const [cookie = ''] = (await ask('/console/session', known)).headers['set-cookie'] ?? [];
    const [pair = ''] = cookie.split(';');
    const later = (hours: number) => ({ now: () => now + hours * 3_600_000, elapsed: () => performance.now() });

    await serveAgain({ ...guarded, clock: later(11) });
    expect((await ask('/console/data/board', { cookie: pair })).status).toBe(200);
    await serveAgain({ ...guarded, clock: later(13) });
    expect((await ask('/console/data/board', { cookie: pair })).status).toBe(401);
    await serveAgain({ viewers: { tokens: ['another-token-by-now'], openTo: 'nobody' } });
    expect((await ask('/console/data/board', { cookie: pair })).status).toBe(401);
  });

  it('cannot make a session last longer', async () => {
    await serveAgain(guarded);
    const [cookie = ''] = (await ask('/console/session', known)).headers['set-cookie'] ?? [];
    const forged = cookie.replace(/=(\d+)\./, (_whole, ends: string) => `=${Number(ends) + 1}.`).split(';')[0] ?? '';

    expect((await ask('/console/data/board', { cookie: forged })).status).toBe(401);
  });

  it('can leave', async () => {
    const { status, headers } = await ask('/console/session/end');

    expect(status).toBe(200);
    expect(String(headers['set-cookie'])).toMatch(/^stagecoach-console=; Path=\/console; Max-Age=0;/);
  });

  it('may come without a token from this machine, where the page is open to it', async () => {
    const { port } = new URL(served.url);

    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, 'localhost', `[::1]:${port}`])
      expect((await ask('/console/data/board', { host })).status).toBe(200);
  });

  it.each([
    ['by a name that was made to lead here', { host: 'evil.example' }],
    ['by a name that begins like ours', { host: 'localhost.evil.example' }],
    ['through a proxy', { 'x-forwarded-for': '203.0.113.9' }],
    ['through a proxy of the newer kind', { forwarded: 'for=203.0.113.9' }],
  ])('is not from this machine %s', async (_how, headers) => {
    expect((await ask('/console/data/board', headers as Record<string, string>)).status).toBe(401);
  });

  it('may come without a token from anywhere, where somebody before us knows them', async () => {
    await serveAgain({ viewers: { tokens: [], openTo: 'everybody' } });

    expect((await ask('/console/data/board', { host: 'console.example', 'x-forwarded-for': '::1' })).status).toBe(200);
  });

  it('is not another site that makes their browser ask', async () => {
    for (const site of ['cross-site', 'same-site'])
      expect((await ask('/console/data/board', { 'sec-fetch-site': site })).status).toBe(403);
    expect((await ask('/console/data/board', { 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await ask('/console', { 'sec-fetch-site': 'cross-site' })).status).toBe(200);
  });

  it('shows the token of the webhooks, where people have none of their own', async () => {
    await serveAgain({ viewers: undefined });

    expect((await ask('/console/data/board')).status).toBe(401);
    const theirs = { authorization: 'Bearer a-token-of-the-webhooks-alone' };
    expect((await ask('/console/data/board', theirs)).status).toBe(200);
  });
});

describe('the stream', () => {
  it('says at once what is known, and then every change', async () => {
    const stream = await openEventStream(`${served.url}/console/events`);
    expect(stream.type).toBe('text/event-stream');
    await until('the first event', () => stream.events.length === 1);

    told.version = 7;
    await until('the change', () => stream.events.length === 2);

    expect(stream.events).toMatchObject([
      { event: 'changed', id: '1', data: '{}' },
      { event: 'changed', id: '7' },
    ]);
    stream.close();
  });

  it('asks the rows once for all who look, and not at all when nobody does', async () => {
    const streams = await Promise.all([1, 2, 3, 4, 5].map(() => openEventStream(`${served.url}/console/events`)));
    await until('everybody to be told', () => streams.every(({ events }) => events.length === 1));
    expect(told.asked.version).toBeLessThanOrEqual(2);

    for (const stream of streams) stream.close();
    await until('the last to have left', async () => {
      const before = told.asked.version;
      // Longer than two looks are apart.
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      return told.asked.version === before;
    });
  });

  it('tells somebody who comes back only what they have not seen', async () => {
    const first = await openEventStream(`${served.url}/console/events`);
    await until('the first event', () => first.events.length === 1);

    const same = await openEventStream(`${served.url}/console/events`, { 'last-event-id': '1' });
    const older = await openEventStream(`${served.url}/console/events`, { 'last-event-id': '0' });
    await until('the one who missed something to be told', () => older.events.length === 1);

    expect(same.events).toEqual([]);
    for (const stream of [first, same, older]) stream.close();
  });

  it('says that the rows are away, and when they are back', async () => {
    const stream = await openEventStream(`${served.url}/console/events`);
    await until('the first event', () => stream.events.length === 1);

    told.away = new Transient('database', 'away');
    await until('the trouble', () => stream.events.at(-1)?.event === 'trouble');
    told.away = undefined;
    await until('its end', () => stream.events.at(-1)?.event === 'changed');

    stream.close();
  });

  it('has room for many, and tells the others to ask by themselves', async () => {
    const streams = await Promise.all(
      Array.from({ length: 256 }, () => openEventStream(`${served.url}/console/events`)),
    );

    expect(await ask('/console/events')).toMatchObject({ status: 503, headers: { 'retry-after': '30' } });
    expect((await ask('/console/data/board')).status).toBe(200);
    streams[0]?.close();
    await until('a place to be free', async () => (await ask('/console/events', {}, 'HEAD')).status === 200);

    for (const stream of streams) stream.close();
  });

  it('ends when the host drains, which waits for nobody who only looks', async () => {
    const stream = await openEventStream(`${served.url}/console/events`);
    await until('the first event', () => stream.events.length === 1);

    // So long that this test would fail if it were waited for.
    await served.drain(60_000);

    await stream.ended;
  });
});

describe('under the framework alone, as on Knative', () => {
  it('serves the same', async () => {
    const server = getTestServer(serveConsole.name);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };

    const page = await fetch(`http://127.0.0.1:${port}/`);
    const data = await fetch(`http://127.0.0.1:${port}/console/data/board`);
    const posted = await fetch(`http://127.0.0.1:${port}/console/session`, { method: 'POST', body: '{}' });

    expect(page.url).toBe(`http://127.0.0.1:${port}/console`);
    expect(await page.text()).toContain('<title>Stagecoach</title>');
    expect(await data.json()).toMatchObject({ namespaces: [{ name: 'team-a' }] });
    expect(posted.status).toBe(405);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
