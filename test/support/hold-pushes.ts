import type { IncomingMessage, ServerResponse } from 'node:http';
import { type InterferingProxy, startInterferingProxy } from './interfering-proxy.ts';

/** Before the host of repositories has it, or after: it is done then, and only the answer is missing. */
export type Where = 'on its way' | 'on its way back';

interface Hold {
  readonly where: Where;
  /** Told when a push is held, with what lets it go. */
  readonly caught: (letGo: () => void) => void;
}

/** Somebody before a host of repositories who can hold the next push. One that is let go comes to nobody. */
export function holdPushes() {
  const held: Where[] = [];
  let wanted: Hold | undefined;

  async function stop(where: Where, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    if (wanted?.where !== where || request.method !== 'POST' || !request.url?.endsWith('/git-receive-pack'))
      return false;
    const { caught } = wanted;
    wanted = undefined;
    held.push(where);
    await new Promise<void>((letGo) => caught(letGo));
    response.destroy();
    return true;
  }

  return {
    /** Where pushes have been held, in turn. */
    held: held as readonly Where[],
    before: (server: string): Promise<InterferingProxy> =>
      startInterferingProxy(server, {
        before: (request, response) => stop('on its way', request, response),
        after: (request, response) => stop('on its way back', request, response),
      }),
    /** Waits until a push is held there. */
    hold: (where: Where): Promise<() => void> =>
      new Promise((caught) => {
        wanted = { where, caught };
      }),
  };
}
