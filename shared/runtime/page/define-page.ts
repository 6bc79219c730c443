import type { IncomingMessage, ServerResponse } from 'node:http';
import { http } from '@google-cloud/functions-framework';
import { isTrouble } from '../../ports/trouble.ts';
import { type Machine, theMachine } from '../machine.ts';
import { keepViews, type View } from './kept-views.ts';
import { openLiveFeed } from './live-feed.ts';
import { redirect, sendDocument, sendJson, sendPage, setGuards, takesHtml } from './respond.ts';
import { readStaticFiles } from './static-files.ts';
import { endedSession, isFromAnotherSite, mayLook, newSession, viewersOf } from './viewers.ts';

/** A door for people: GET in, a page and what it shows out. It changes nothing. */
export interface PageDefinition<Sources> {
  readonly name: string;
  /** The path that it answers, with all that is below. */
  readonly at: string;
  /** The folder of what browsers load; its index.html is every page, and its nowhere.html says that there is none. */
  readonly files: URL;
  readonly views: readonly View<Sources>[];
  sources(machine: Machine): Sources;
  /** Grows with every change that a view could show. */
  version(sources: Sources): Promise<string>;
}

export interface StagecoachPage {
  readonly name: string;
  readonly emits: readonly string[];
  readonly at: string;
}

/**
 * What browsers load is the same for everybody and no secret, so anybody gets it: a link from elsewhere opens, and a form
 * for the token where one is needed. What the page shows is for those who may look.
 */
export function definePage<Sources>(definition: PageDefinition<Sources>): StagecoachPage {
  const { name, at, views } = definition;
  let files: ReturnType<typeof readStaticFiles> | undefined;
  const standing = new WeakMap<Machine, ReturnType<typeof standOn>>();

  function standOn(machine: Machine) {
    const sources = definition.sources(machine);
    const feed = openLiveFeed({ machine, fn: name, version: () => definition.version(sources) });
    return { feed, show: keepViews(sources, machine.clock) };
  }

  function partsOf(machine: Machine) {
    const found = standing.get(machine) ?? standOn(machine);
    standing.set(machine, found);
    return found;
  }

  async function answer(request: IncomingMessage, response: ServerResponse, machine: Machine): Promise<void> {
    setGuards(response);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return refuse(405, 'Nothing can be changed here: send a GET.');
    }
    const path = wordsOf(request.url ?? '/', at);
    if (path === 'elsewhere') return redirect(response, at);
    if (path === undefined) return refuseNowhere();
    const [word = '', ...names] = path;
    const now = machine.clock.now();
    const viewers = viewersOf(machine);
    if (word === 'public') return sendFile(names.join('/'));
    if (word === '' || views.some((view) => view.name === word)) return sendFile('index.html');
    if (!['session', 'events', 'data'].includes(word)) return refuseNowhere();

    if (isFromAnotherSite(request)) return refuse(403, 'Another site may not look.');
    if (word === 'session' && names[0] === 'end') {
      response.setHeader('set-cookie', endedSession(request, at));
      return sendJson(request, response, 200, { ended: true });
    }
    if (!mayLook(request, viewers, now)) return refuse(401, unknownViewer);
    if (word === 'session') {
      const session = newSession(request, viewers, at, now);
      if (session !== undefined) response.setHeader('set-cookie', session);
      return sendJson(request, response, 200, { mayLook: true });
    }
    const { feed, show } = partsOf(machine);
    if (word === 'events') {
      if (feed.join(request, response)) return;
      response.setHeader('retry-after', '30');
      return refuse(503, 'Too many look at once: ask for the data every few seconds instead.');
    }
    const view = views.find((one) => one.name === names[0]);
    const seen = request.headers['x-seen-version'];
    const document = view && (await show(view, names.slice(1), await feed.current(seen?.toString())));
    if (document === undefined) return refuse(404, 'There is nothing of that name.');
    return sendDocument(request, response, document, true);

    async function fileOf(name: string) {
      files ??= readStaticFiles(definition.files);
      return (await files).get(name);
    }

    async function sendFile(file: string): Promise<void> {
      const found = await fileOf(file);
      if (found === undefined) return refuse(404, 'There is no such file.');
      sendDocument(request, response, found, false);
    }

    /** A person who mistyped an address gets a page to go on from. */
    async function refuseNowhere(): Promise<void> {
      const page = takesHtml(request) ? await fileOf('nowhere.html') : undefined;
      if (page === undefined) return refuse(404, 'There is nothing here.');
      machine.metrics.webhookRefusals.inc({ fn: name, status: '404' });
      sendPage(request, response, 404, page);
    }

    function refuse(status: number, error: string): void {
      machine.metrics.webhookRefusals.inc({ fn: name, status: String(status) });
      sendJson(request, response, status, { error });
    }
  }

  http(name, async (request, response) => {
    const machine = theMachine();
    try {
      await answer(request, response, machine);
    } catch (error) {
      const away = isTrouble(error) && (error.kind === 'transient' || error.kind === 'uncertain');
      machine.log[away ? 'warn' : 'error']('page failed', {
        fn: name,
        error: String(error),
        ...(!away && error instanceof Error && { stack: error.stack }),
      });
      machine.metrics.webhookRefusals.inc({ fn: name, status: away ? '503' : '500' });
      if (response.headersSent) response.end();
      else if (away) sendJson(request, response, 503, { error: 'A part of Stagecoach is away.' });
      else sendJson(request, response, 500, { error: 'A defect of ours; it is in the log.' });
    }
  });

  return { name, emits: [], at };
}

const unknownViewer =
  'Unknown caller. Send "Authorization: Bearer <token>" with a token of CONSOLE_TOKEN_FILE, or use a client certificate that TLS_CLIENT_CA_FILE has signed.';

/** Names of objects are not longer, and no view has more of them. */
const longestName = 253;
const mostNames = 5;

/** The words of a path below ours. Elsewhere: at the root. Undefined: no path that anything could be at. */
function wordsOf(url: string, at: string): readonly string[] | 'elsewhere' | undefined {
  const [path = ''] = url.split(/[?#]/);
  if (path === '/' || path === `${at}/`) return 'elsewhere';
  if (path !== at && !path.startsWith(`${at}/`)) return undefined;
  try {
    const words = path
      .slice(at.length + 1)
      .split('/')
      .map(decodeURIComponent);
    const isNone = words.length > mostNames || words.some((word) => word.length > longestName);
    return isNone ? undefined : words;
  } catch {
    // A percent sign that stands for nothing.
    return undefined;
  }
}
