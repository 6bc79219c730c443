import { setClock } from './time.js';

// The server says that something has changed, and what is shown is asked for again; where no stream comes through, as on
// platforms that collect an answer before they send it, the same is asked for every few seconds.

const pollMs = 3_000;
/** Also with a stream: Environments are not counted among what changes. */
const refreshMs = 15_000;
/** A stream that has said nothing for this long does not come through. */
const silenceMs = 6_000;
const retryMs = 60_000;

export class NotWelcome extends Error {}
export class NotThere extends Error {}

export function openLive({ onLook, onState }) {
  let source;
  let seen;
  let mode = 'starting';
  let patience;
  let timer;

  function setMode(next) {
    mode = next;
    onState(next);
    clearTimeout(timer);
    const isStreaming = next === 'live';
    timer = setTimeout(again, isStreaming ? refreshMs : pollMs);
  }

  function again() {
    onLook();
    timer = setTimeout(again, mode === 'live' ? refreshMs : pollMs);
  }

  function listen() {
    source?.close();
    source = new EventSource('/console/events');
    patience = setTimeout(giveUp, silenceMs);
    source.addEventListener('open', () => {
      clearTimeout(patience);
      setMode('live');
    });
    source.addEventListener('changed', (event) => {
      seen = event.lastEventId;
      if (mode !== 'live') setMode('live');
      onLook();
    });
    source.addEventListener('trouble', () => setMode('troubled'));
    source.addEventListener('error', () => {
      // A browser comes back by itself where the connection broke, and not where it was refused.
      if (source.readyState === EventSource.CLOSED) giveUp();
      else {
        setMode('away');
        clearTimeout(patience);
        patience = setTimeout(giveUp, silenceMs);
      }
    });
  }

  /** Nobody looks at a hidden tab, and a browser has only so many connections to one host. */
  function rest() {
    if (mode === 'starting') return;
    if (document.hidden) {
      source?.close();
      clearTimeout(patience);
      clearTimeout(timer);
    } else {
      onLook();
      listen();
    }
  }
  document.addEventListener('visibilitychange', rest);

  function giveUp() {
    clearTimeout(patience);
    source.close();
    setMode('polling');
    patience = setTimeout(listen, retryMs);
  }

  return {
    start: listen,
    /** A look that failed has said that we are away; one that did not takes that back. */
    tell: () => onState(mode),
    stop() {
      source?.close();
      clearTimeout(patience);
      clearTimeout(timer);
      mode = 'starting';
    },
    /** What a view shows; undefined where it is what the caller has already. */
    async read(path, etag) {
      const response = await fetch(`/console/data/${path}`, {
        headers: seen === undefined ? {} : { 'x-seen-version': seen },
        cache: 'no-cache',
      });
      setClock(response.headers.get('date'));
      if (response.status === 401) throw new NotWelcome();
      if (response.status === 404) throw new NotThere();
      if (!response.ok) throw new Error((await response.json()).error);
      const found = response.headers.get('etag');
      return found !== null && found === etag ? undefined : { etag: found, data: await response.json() };
    },
  };
}

/** Shows the token once, in a header; from then on a cookie that no script can read stands for it. */
export async function signIn(token) {
  // What no header takes is no token.
  if (!/^[\x21-\x7e\x80-\xff]+$/.test(token)) return false;
  const response = await fetch('/console/session', {
    headers: { authorization: `Bearer ${token}` },
    cache: 'no-store',
  });
  if (!response.ok && response.status !== 401) throw new Error(`the answer was ${response.status}`);
  return response.ok;
}

export async function signOut() {
  await fetch('/console/session/end', { cache: 'no-store' });
}
