import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { findProgram } from '../../infra/find-program.ts';
import { until } from './until.ts';

/** Where Chromium is; undefined where there is none. */
export const chromium = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) => findProgram(name, process.env['PATH']))
  .find((program) => program !== undefined);

type Parameters = Readonly<Record<string, unknown>>;

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: Parameters;
  readonly result?: Parameters;
  readonly error?: { readonly message: string };
}

/** A Chromium of our own without a screen, spoken to in its DevTools protocol; nothing of the user's is touched. */
export async function openBrowser() {
  if (chromium === undefined) throw new Error('there is no Chromium');
  const folder = await mkdtemp(join(tmpdir(), 'stagecoach-chromium-'));
  const child = spawn(
    chromium,
    [
      '--headless=new',
      '--remote-debugging-port=0',
      `--user-data-dir=${folder}`,
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-default-apps',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--disable-sync',
      '--force-color-profile=srgb',
      '--hide-scrollbars',
      '--mute-audio',
      '--no-first-run',
      // There is no other user to protect here, and root has no sandbox.
      '--no-sandbox',
      'about:blank',
    ],
    { stdio: 'ignore', detached: true },
  );
  const port = join(folder, 'DevToolsActivePort');
  const [number, path] = await until('Chromium to listen', async () => {
    const lines = (await readFile(port, 'utf8').catch(() => '')).split('\n');
    return lines.length > 1 ? lines : undefined;
  });
  const socket = new WebSocket(`ws://127.0.0.1:${number}${path}`);
  await once(socket, 'open');
  const pending = new Map<number, PromiseWithResolvers<Parameters>>();
  const listeners = new Set<(answer: Answer) => void>();
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    const waiting = answer.id === undefined ? undefined : pending.get(answer.id);
    if (waiting === undefined) for (const listener of listeners) listener(answer);
    else if (answer.error === undefined) waiting.resolve(answer.result ?? {});
    else waiting.reject(new Error(answer.error.message));
  });

  function send(method: string, params: Parameters = {}, sessionId?: string): Promise<Parameters> {
    last += 1;
    const waiting = Promise.withResolvers<Parameters>();
    pending.set(last, waiting);
    socket.send(JSON.stringify({ id: last, method, params, sessionId }));
    return waiting.promise;
  }

  return {
    /** A window with nothing in common with the others. */
    async page({ width = 1_440, height = 900 } = {}) {
      const { browserContextId } = await send('Target.createBrowserContext');
      const { targetId } = await send('Target.createTarget', { url: 'about:blank', browserContextId });
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
      return openPage((method, params) => send(method, params, sessionId as string), listeners, sessionId as string, {
        width,
        height,
      });
    },
    async close(): Promise<void> {
      await send('Browser.close').catch(() => {});
      socket.close();
      await ended(child);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

type Send = (method: string, params?: Parameters) => Promise<Parameters>;

async function openPage(
  send: Send,
  listeners: Set<(answer: Answer) => void>,
  sessionId: string,
  size: { readonly width: number; readonly height: number },
) {
  const requests: string[] = [];
  const complaints: string[] = [];
  listeners.add(({ method, params = {}, sessionId: whose }) => {
    if (whose !== sessionId) return;
    if (method === 'Network.requestWillBeSent') requests.push((params['request'] as { url: string }).url);
    if (method === 'Runtime.exceptionThrown' || method === 'Log.entryAdded') complaints.push(JSON.stringify(params));
  });
  for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await send(`${domain}.enable`);
  await send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: false });

  const page = {
    /** Every address that it asked for. */
    requests,
    /** What it threw, and what the browser kept it from doing. */
    complaints,
    send,
    async open(url: string): Promise<void> {
      await send('Page.navigate', { url });
    },
    /** The value of an expression in the page. */
    async ask<Value>(expression: string): Promise<Value> {
      const { result, exceptionDetails } = await send('Runtime.evaluate', {
        expression,
        returnByValue: true,
        awaitPromise: true,
      });
      if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
      return (result as { value: Value }).value;
    },
    /** All the text that is shown in an element; empty where there is none. */
    text: (selector = 'main'): Promise<string> =>
      page.ask(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`),
    sees: (words: string, selector = 'main') =>
      until(`the page to show ${words}`, async () => (await page.text(selector)).includes(words)).catch(
        async (error) => {
          throw new Error(`${String(error)}; it shows:\n${await page.text(selector)}`);
        },
      ),
    /** What a key does, by its name as pages know it. */
    async press(key: string): Promise<void> {
      const text = key.length === 1 ? { text: key } : key === 'Enter' ? { text: '\r' } : {};
      await send('Input.dispatchKeyEvent', { type: 'keyDown', key, code: key, ...codeOf(key), ...text });
      await send('Input.dispatchKeyEvent', { type: 'keyUp', key, code: key, ...codeOf(key) });
    },
    async type(text: string): Promise<void> {
      for (const letter of text) await page.press(letter);
    },
    prefer: (scheme: 'light' | 'dark') =>
      send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] }),
    close: () => send('Page.close'),
    async picture(): Promise<Buffer> {
      // What just came in is still being drawn.
      await setTimeout(150);
      const { data } = await send('Page.captureScreenshot', { format: 'png' });
      return Buffer.from(data as string, 'base64');
    },
  };
  return page;
}

export type BrowserPage = Awaited<ReturnType<typeof openPage>>;

const codes: Readonly<Record<string, number>> = {
  Enter: 13,
  Escape: 27,
  Tab: 9,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
};

function codeOf(key: string): Parameters {
  const code = codes[key];
  return code === undefined ? {} : { windowsVirtualKeyCode: code };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  const isGone = await Promise.race([exit.then(() => true), setTimeout(5_000, false)]);
  // Its own group: the processes that it started go with it.
  if (!isGone && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  await exit;
}
