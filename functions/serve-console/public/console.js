import { el, morphChildren } from './dom.js';
import { NotThere, NotWelcome, openLive, signIn, signOut } from './live.js';
import { growSpans } from './span.js';
import { tick } from './time.js';
import { board } from './views/board.js';
import { graph } from './views/graph.js';
import { promotion } from './views/promotion.js';

// The registry. A view is a name, which is also the first word of its paths and of its data; a title for the bar, where
// it has a place there; `draw`, which makes elements of the data; and what it does with keys, where it does.
const views = [board, graph, promotion];

const main = document.querySelector('#main');
const words = {
  starting: 'Starting',
  live: 'Live',
  polling: 'Every few seconds',
  away: 'Connecting',
  troubled: 'The database is away',
};

let here;
let looking = false;
let lookAgain = false;

const live = openLive({ onLook: look, onState: showState });

function placeOf(url) {
  const [, , name = '', ...names] = url.pathname.split('/');
  const view = views.find((one) => one.name === (name || 'board')) ?? board;
  return { view, names: names.map(decodeURIComponent), query: url.searchParams };
}

function go(href, how = 'push') {
  const url = new URL(href, location.href);
  const isFirst = here === undefined;
  // Who chose it in a list stands there on the next page as well.
  const held = document.activeElement.matches('main select') ? `#${document.activeElement.id}` : undefined;
  if (how === 'push') history.replaceState(placeOfReader(), '');
  if (how !== 'none') history[how === 'push' ? 'pushState' : 'replaceState'](null, '', url);
  const arrival = how === 'none' ? history.state : { y: 0, held };
  here = { ...placeOf(url), etag: undefined, data: undefined, arrival: arrival ?? (isFirst ? undefined : { y: 0 }) };
  showBar();
  main.replaceChildren(el('p', { class: 'loading', role: 'status' }, 'Looking …'));
  document.title = `${here.view.title ?? 'Promotion'} · Stagecoach`;
  look();
}

/** For whoever comes back: how far down it was, and on which link. */
function placeOfReader() {
  const href = document.activeElement.closest('main a[href]')?.getAttribute('href');
  return { y: scrollY, held: href && `a[href="${CSS.escape(href)}"]` };
}

/** Who works with the keyboard, or listens, goes on where the new page begins; who comes back, where they were. */
function arrive() {
  const { arrival } = here;
  if (arrival === undefined) return;
  here.arrival = undefined;
  const held = arrival.held && main.querySelector(arrival.held);
  (held ?? main).focus({ preventScroll: true });
  scrollTo(0, arrival.y);
}

/** One look at a time; who asks meanwhile gets one more after it. */
async function look() {
  if (looking) {
    lookAgain = true;
    return;
  }
  looking = true;
  const place = here;
  try {
    const found = await live.read([place.view.name, ...place.names.map(encodeURIComponent)].join('/'), place.etag);
    live.tell();
    if (place === here && found !== undefined) {
      place.etag = found.etag;
      place.data = found.data;
      draw();
    }
  } catch (error) {
    if (place === here) showTrouble(error);
  }
  looking = false;
  if (lookAgain || place !== here) {
    lookAgain = false;
    look();
  }
}

function draw() {
  const { view, data, names, query } = here;
  const drawn = view.draw(data, { names, query, go, redraw: draw });
  if (drawn === undefined) return;
  main.classList.toggle('wide', view.isWide === true);
  morphChildren(main, [
    el('div', { class: `view ${view.name}`, 'data-key': `${view.name}/${names.join('/')}` }, drawn),
  ]);
  if (view.titleOf !== undefined) document.title = `${view.titleOf(data)} · Stagecoach`;
  view.drawn?.(main.firstElementChild, data, { go, redraw: draw });
  arrive();
}

function showTrouble(error) {
  if (error instanceof NotWelcome) {
    live.stop();
    showSignIn();
  } else if (error instanceof NotThere) {
    here.etag = undefined;
    main.replaceChildren(
      notice(
        'There is nothing of that name',
        'It was never there, nothing has been promoted of it yet, or it is older than what is kept.',
      ),
    );
    arrive();
  } else if (here.data === undefined) {
    main.replaceChildren(notice('Nothing can be shown at the moment', error.message));
    showState('away');
  } else showState('away');
}

function notice(title, text) {
  return el(
    'section',
    { class: 'notice' },
    el('h1', {}, title),
    el('p', {}, text),
    el('a', { href: '/console' }, 'To the board'),
  );
}

function showSignIn(message = '') {
  showState('starting');
  // Without a name the field is in no request, whatever happens to the script.
  const token = el('input', { type: 'password', id: 'token', autocomplete: 'current-password', required: true });
  const form = el(
    'form',
    { class: 'sign-in', method: 'dialog' },
    el('h1', {}, 'Who looks?'),
    el(
      'p',
      {},
      'This page shows what belongs to all tenants. Give the token that your operator keeps in CONSOLE_TOKEN_FILE.',
    ),
    el('label', { for: 'token' }, 'Token'),
    token,
    el('p', { class: 'wrong', role: 'alert' }, message),
    el('button', { class: 'button' }, 'Sign in'),
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    let isTaken;
    try {
      isTaken = await signIn(token.value.trim());
    } catch {
      // The token may be right: it stays in its field.
      form.querySelector('.wrong').textContent = 'Stagecoach does not answer at the moment. Try again.';
      return;
    }
    if (!isTaken) return showSignIn('That is not one of the tokens.');
    localStorage.setItem('stagecoach-signed-in', 'yes');
    document.querySelector('#leave').hidden = false;
    live.start();
    go(location.href, 'none');
  });
  main.replaceChildren(form);
  token.focus();
}

function showState(state) {
  const mark = document.querySelector('#live');
  if (mark.dataset.state === state) return;
  mark.dataset.state = state;
  mark.lastElementChild.textContent = words[state];
}

function showBar() {
  const links = views
    .filter(({ title }) => title !== undefined)
    .map((view) =>
      el(
        'a',
        { href: view.href, 'aria-current': view === here.view ? 'page' : undefined, 'data-key': view.name },
        view.title,
      ),
    );
  morphChildren(document.querySelector('#views'), links);
}

function changeTheme() {
  const root = document.documentElement;
  const isDark =
    getComputedStyle(root).colorScheme === 'dark' ||
    (root.dataset.theme === undefined && matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset.theme = isDark ? 'light' : 'dark';
  localStorage.setItem('stagecoach-theme', root.dataset.theme);
}

const keys = document.querySelector('#keys');
const shortcuts = {
  b: () => go('/console'),
  g: () => go('/console/graph'),
  t: changeTheme,
  '?': () => keys.showModal(),
};

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || keys.open || here === undefined) return;
  if (here.view.key?.(event, main) === true) {
    event.preventDefault();
    return;
  }
  if (event.target.closest('input, select, textarea') !== null) return;
  const shortcut = shortcuts[event.key];
  if (shortcut === undefined) return;
  event.preventDefault();
  shortcut();
});

document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href]');
  // A link in a drawing is one of SVG, which knows nothing of its address but the attribute.
  const url = link === null ? null : new URL(link.getAttribute('href'), location.href);
  const isOurs = url !== null && url.origin === location.origin && url.pathname.startsWith('/console');
  if (!isOurs || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || url.hash !== '') return;
  event.preventDefault();
  go(url.href);
});

document.querySelector('#theme').addEventListener('click', changeTheme);
document.querySelector('#help').addEventListener('click', shortcuts['?']);
document.querySelector('#leave').addEventListener('click', async () => {
  await signOut();
  localStorage.removeItem('stagecoach-signed-in');
  document.querySelector('#leave').hidden = true;
  live.stop();
  showSignIn();
});
document.querySelector('#leave').hidden = localStorage.getItem('stagecoach-signed-in') !== 'yes';
history.scrollRestoration = 'manual';
addEventListener('pagehide', () => history.replaceState(placeOfReader(), ''));
addEventListener('popstate', () => go(location.href, 'none'));
setInterval(() => {
  if (document.hidden) return;
  tick();
  growSpans();
}, 1_000);
live.start();
go(location.href, 'none');
