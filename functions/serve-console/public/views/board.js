import { el, sketch } from '../dom.js';
import { automation, pathTo, sign } from '../marks.js';
import { firstStop, moveOverBoard, setStop } from './board-keys.js';
import { drawRow } from './board-row.js';

// Rows are drawn again only when what they show has changed, and what is off the screen is not laid out at all
// (content-visibility, in views.css): a thousand applications are no trouble.

/** The fields that are listened to already. */
const heard = new WeakSet();
let query = '';
let tone = '';

export const board = {
  name: 'board',
  title: 'Board',
  href: '/console',
  isWide: true,

  draw(data, { query: asked }) {
    if (data.isSeen !== true) {
      // The first look at these data: what the address asks for.
      data.isSeen = true;
      query = document.querySelector('#filter')?.value ?? asked.get('q') ?? '';
    }
    const all = data.namespaces.flatMap((namespace) =>
      namespace.applications.map((one) => ({ namespace, one, ...sum(one) })),
    );
    if (all.length === 0) return empty();
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = all.filter((row) => isOf(row.tones, tone) && words.every((word) => textOf(row).includes(word)));
    const visible = new Set(shown.map(({ one }) => one));
    return [
      head(data, all, shown),
      el(
        'div',
        { class: 'grid', role: 'grid', 'aria-label': 'Applications and environments', 'data-key': 'grid' },
        data.namespaces.map((namespace) => section(namespace, visible)),
      ),
      shown.length === 0 && el('p', { class: 'nothing', 'data-key': 'nothing' }, 'No application is like that.'),
    ];
  },

  drawn(root, _data, { redraw }) {
    const grid = root.querySelector('.grid');
    if (grid !== null && grid.querySelector('.stop[tabindex="0"]') === null) setStop(grid, firstStop(grid));
    const input = root.querySelector('#filter');
    if (input === null || heard.has(input)) return;
    heard.add(input);
    input.addEventListener('input', () => {
      query = input.value;
      history.replaceState(null, '', query === '' ? '/console' : `/console?q=${encodeURIComponent(query)}`);
      redraw();
    });
    root.addEventListener('focusin', (event) => setStop(root, event.target.closest('.stop')));
    root.querySelector('.tones').addEventListener('click', (event) => {
      const chosen = event.target.closest('button')?.dataset.tone;
      if (chosen === undefined) return;
      tone = tone === chosen ? '' : chosen;
      redraw();
    });
  },

  key: moveOverBoard,
};

function sum({ cells, promotions }) {
  const tones = new Set(cells.map((cell) => cell.tone));
  for (const promotion of promotions) {
    tones.add(promotion.tone);
    for (const { status, tone: own } of promotion.way) if (status === 'in-progress') tones.add(own);
  }
  return { tones };
}

function textOf({ namespace, one }) {
  one.text ??= [
    namespace.name,
    one.name,
    ...one.cells.flatMap(({ environment, snapshot, health, sync, says }) => [
      environment,
      snapshot,
      health,
      sync,
      says?.reason,
    ]),
    ...one.promotions.flatMap(({ name, snapshot, waiting }) => [name, snapshot, waiting?.reason, waiting?.message]),
  ]
    .join(' ')
    .toLowerCase();
  return one.text;
}

/** As they should be are those of which nothing else can be said. */
function isOf(tones, wanted) {
  return wanted === '' || (tones.has(wanted) && (wanted !== 'good' || tones.size === 1));
}

const toneWords = { moving: 'on their way', waiting: 'waiting', bad: 'in trouble', good: 'as they should be' };

function head(data, all, shown) {
  const count = shown.length === all.length ? `${all.length}` : `${shown.length} of ${all.length}`;
  return el(
    'div',
    { class: 'head', 'data-key': 'head' },
    el('h1', {}, 'What runs where'),
    el('p', { class: 'count', role: 'status' }, `${count} ${all.length === 1 ? 'application' : 'applications'}`),
    el(
      'div',
      { class: 'tones', role: 'group', 'aria-label': 'Show only' },
      Object.entries(toneWords).map(([name, word]) => {
        const many = all.filter(({ tones }) => isOf(tones, name)).length;
        return el(
          'button',
          { type: 'button', class: `tile tone-${name}`, 'data-tone': name, 'aria-pressed': String(tone === name) },
          sign(name, 17),
          el('b', {}, String(many)),
          el('span', {}, word),
        );
      }),
    ),
    el('input', {
      type: 'search',
      id: 'filter',
      value: query,
      placeholder: 'Filter:  name, snapshot, reason   ( / )',
      'aria-label': 'Filter applications',
      autocomplete: 'off',
      spellcheck: 'false',
    }),
    !data.areEnvironmentsKnown &&
      el(
        'p',
        { class: 'unsure', role: 'status' },
        'The cluster does not tell its environments at the moment: their order may be missing.',
      ),
  );
}

/** What the filter hides stays where it is: to show it again costs nothing. */
function section(namespace, visible) {
  const { name, environments: columns, applications } = namespace;
  const shape = JSON.stringify(columns);
  return el('section', {
    class: 'namespace-part',
    role: 'rowgroup',
    'data-key': name,
    hidden: !applications.some((one) => visible.has(one)),
    vars: { columns: columns.length },
    sketches: [
      sketch(' names', shape, () => drawNames(namespace), false),
      ...applications.map((one) => {
        one.signature ??= `${shape}${JSON.stringify([one.cells, one.promotions])}`;
        return sketch(one.name, one.signature, () => drawRow(namespace, columns, one), !visible.has(one));
      }),
    ],
  });
}

function drawNames({ name: namespace, environments }) {
  return el(
    'div',
    { class: 'names', role: 'row', 'data-key': ' names' },
    el(
      'span',
      { class: 'namespace', role: 'columnheader' },
      el('a', { href: pathTo('graph', namespace), title: `${namespace}: the environment graph` }, namespace),
    ),
    environments.map(({ name, label, isAutomated }) =>
      el(
        'span',
        { class: 'place', role: 'columnheader', title: label === name ? name : `${name}: ${label}` },
        isAutomated !== undefined && automation(isAutomated),
        el('span', {}, name),
      ),
    ),
    el('span', { role: 'columnheader', class: 'place' }, 'on its way'),
  );
}

function empty() {
  return el(
    'section',
    { class: 'notice' },
    el('h1', {}, 'Nothing runs yet'),
    el('p', {}, 'As soon as an application has a snapshot and an environment to go to, it is here.'),
  );
}
