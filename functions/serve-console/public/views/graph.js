import { el, svg } from '../dom.js';
import { layOut } from '../lay-out.js';
import { automation, badge, hueOf, pathTo, since, snapshotChip, snapshotName } from '../marks.js';
import { spaced } from './board-row.js';

const box = { width: 216, height: 104, across: 92, down: 26 };
/** The fields that are listened to already. */
const heard = new WeakSet();
let last;

export const graph = {
  name: 'graph',
  title: 'Graph',
  href: '/console/graph',

  draw(data, { names, go }) {
    const [namespace, application] = names;
    if (namespace === undefined) {
      const [first] = data.namespaces;
      const next = data.namespaces.includes(last) ? last : first;
      if (next !== undefined) {
        go(pathTo('graph', next), 'replace');
        return undefined;
      }
      return el(
        'section',
        { class: 'notice' },
        el('h1', {}, 'There are no environments yet'),
        el('p', {}, 'As soon as there is one, it is drawn here.'),
      );
    }
    last = namespace;
    return [
      el(
        'div',
        { class: 'head', 'data-key': 'head' },
        el('h1', {}, application ?? namespace),
        el(
          'p',
          { class: 'count' },
          application === undefined
            ? 'its environments, and how a snapshot gets from one to the next'
            : `on its way through the environments of ${namespace}`,
        ),
        el(
          'div',
          { class: 'choices' },
          choice('namespace', 'Namespace', withThis(data.namespaces, namespace), namespace),
          choice('application', 'Application', ['', ...withThis(data.applications, application)], application ?? ''),
        ),
      ),
      el(
        'div',
        { class: 'canvas', tabindex: '0', role: 'group', 'aria-label': 'Environment graph', 'data-key': 'canvas' },
        drawing(data),
      ),
      legend(),
      promotions(data),
    ];
  },

  drawn(root, { namespace }, { go }) {
    const choices = root.querySelector('.choices');
    if (choices === null || heard.has(choices)) return;
    heard.add(choices);
    choices.addEventListener('change', (event) => {
      const { id, value } = event.target;
      go(id === 'namespace' ? pathTo('graph', value) : pathTo('graph', namespace, ...(value === '' ? [] : [value])));
    });
  },

  titleOf: ({ namespace, application }) => application ?? namespace ?? 'Graph',
};

function withThis(list, one) {
  return one === undefined || list.includes(one) ? list : [...list, one].sort();
}

function choice(id, label, options, chosen) {
  return el(
    'label',
    { class: 'choice', 'data-key': id },
    el('span', {}, label),
    el(
      'select',
      { id },
      options.map((value) =>
        el(
          'option',
          { value, selected: value === chosen, 'data-key': `=${value}` },
          value === '' ? 'all of them' : value,
        ),
      ),
    ),
  );
}

function drawing(data) {
  const { places, edges, width, height } = layOut(data.environments, box);
  const cells = Map.groupBy(data.cells, ({ environment }) => environment);
  const moving = new Map();
  for (const promotion of data.promotions.filter(({ state }) => state === 'Active'))
    for (const step of promotion.way.filter(({ status }) => status === 'in-progress'))
      moving.set(step.environment, [...(moving.get(step.environment) ?? []), promotion]);
  return svg(
    'svg',
    { class: 'drawing', viewBox: `0 0 ${width} ${height}`, width, height },
    edges.map((edge) => drawEdge(edge, moving.get(edge.to) ?? [])),
    places.map((place) => drawPlace(place, cells.get(place.name) ?? [], data)),
  );
}

/** Whoever wants little motion sees the traveller at the beginning of its way. */
const isStill = matchMedia('(prefers-reduced-motion: reduce)');

function beginningOf(path) {
  const [, x, y] = /^M\s*([-\d.]+)[\s,]+([-\d.]+)/.exec(path) ?? [];
  return x === undefined ? undefined : `translate(${x} ${y})`;
}

function drawEdge({ from, to, path, isAutomated, gate }, promotions) {
  const id = `edge-${from}-${to}`;
  return svg(
    'g',
    { class: `edge ${isAutomated ? 'automated' : 'manual'}${promotions.length > 0 ? ' busy' : ''}`, 'data-key': id },
    svg('path', { id, d: path }),
    !isAutomated && svg('path', { class: 'gate', d: `M${gate.x} ${gate.y - 8}v16` }),
    // Few enough to be told apart, and to be drawn.
    promotions.slice(0, 3).map((promotion, at) =>
      svg(
        'g',
        {
          class: 'traveller',
          vars: { hue: hueOf(promotion.snapshot) },
          transform: isStill.matches ? beginningOf(path) : undefined,
          'data-key': promotion.id,
        },
        svg('title', {}, `${promotion.snapshot} by ${promotion.name}`),
        svg('circle', { r: 6.5 }),
        !isStill.matches &&
          svg('animateMotion', {
            dur: '2.4s',
            begin: `${at * 0.5}s`,
            repeatCount: 'indefinite',
            calcMode: 'spline',
            keyTimes: '0;1',
            keySplines: '0.45 0 0.25 1',
            path,
          }),
      ),
    ),
  );
}

function drawPlace(place, cells, { application, namespace }) {
  const { name, label, isAutomated, target, controller, x, y, depth, isParentMissing, isLeaving } = place;
  const only = application === undefined ? undefined : cells[0];
  const tone = toneOf(cells);
  const odd =
    depth === undefined
      ? 'in a circle of parents'
      : isParentMissing
        ? 'its parent is missing'
        : isLeaving
          ? 'being deleted'
          : controller !== ''
            ? `promoted by ${controller}`
            : '';
  const body = [
    svg(
      'title',
      {},
      `${name}: ${label}\n${isAutomated ? 'automated' : 'manual'}, deploys to ${target}${odd === '' ? '' : `, ${odd}`}`,
    ),
    svg('rect', { class: 'card', width: box.width, height: box.height, rx: 12 }),
    svg('rect', { class: 'edge-mark', width: 5, height: box.height - 24, x: 0, y: 12, rx: 2.5 }),
    svg('text', { class: 'name', x: 18, y: 27 }, cut(name, 17)),
    svg('g', { class: 'kind', transform: `translate(${box.width - 28} 15)` }, automation(isAutomated)),
    only !== undefined
      ? snapshotInside(only)
      : svg('text', { class: 'many', x: 18, y: 54 }, application === undefined ? counted(cells) : 'nothing yet'),
    svg('text', { class: 'health', x: 18, y: 74 }, only === undefined ? '' : cut(sayOf(only), 28)),
    svg('text', { class: 'target', x: 18, y: 93 }, cut(odd === '' ? `→ ${target}` : `! ${odd}`, 28)),
  ];
  const inside = svg(
    'g',
    { class: `environment tone-${tone}${odd === '' ? '' : ' odd'}`, transform: `translate(${x} ${y})` },
    body,
  );
  const key = `at-${name}`;
  if (only?.promotion === undefined) return svg('g', { 'data-key': key }, inside);
  return svg('a', { href: pathTo('promotion', namespace, only.promotion), 'data-key': key }, inside);
}

function snapshotInside({ snapshot, application }) {
  return svg(
    'g',
    { class: 'inside', vars: { hue: hueOf(snapshot) } },
    svg('circle', { cx: 23, cy: 50, r: 5 }),
    svg('text', { class: 'snapshot-name', x: 34, y: 54 }, cut(snapshotName(snapshot, application), 22)),
  );
}

function sayOf({ says, tone, sync, health }) {
  if (says?.reason) return spaced(says.reason);
  return tone === 'good' ? 'Synced, Healthy' : [sync, health].filter(Boolean).join(', ') || 'Not reported';
}

const worst = ['bad', 'moving', 'waiting', 'unknown', 'good'];

function toneOf(cells) {
  return worst.find((tone) => cells.some((cell) => cell.tone === tone)) ?? 'none';
}

function counted(cells) {
  if (cells.length === 0) return 'nothing yet';
  const good = cells.filter(({ tone }) => tone === 'good').length;
  return good === cells.length
    ? `${good} as ${good === 1 ? 'it' : 'they'} should be`
    : `${good} of ${cells.length} as they should be`;
}

/** A long name must not leave its box; the title has all of it. */
function cut(text, most) {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

function legend() {
  return el(
    'p',
    { class: 'legend', 'data-key': 'legend' },
    svg(
      'svg',
      { width: 34, height: 10, class: 'edge automated', 'aria-hidden': 'true' },
      svg('path', { d: 'M1 5h32' }),
    ),
    'goes on by itself',
    svg(
      'svg',
      { width: 34, height: 18, class: 'edge manual', 'aria-hidden': 'true' },
      svg('path', { d: 'M1 9h32' }),
      svg('path', { class: 'gate', d: 'M17 2v14' }),
    ),
    'somebody promotes',
    svg(
      'svg',
      { width: 14, height: 14, class: 'edge', 'aria-hidden': 'true' },
      svg('g', { class: 'traveller', vars: { hue: 200 } }, svg('circle', { cx: 7, cy: 7, r: 5.5 })),
    ),
    'a snapshot on its way',
  );
}

function promotions({ promotions: list, application, namespace }) {
  return el(
    'section',
    { class: 'list', 'data-key': 'promotions' },
    el('h2', {}, application === undefined ? 'Under way' : 'Promotions'),
    list.length === 0
      ? el('p', { class: 'nothing' }, application === undefined ? 'Nothing is on its way.' : 'There was none yet.')
      : promotionTable(namespace, list, application === undefined),
  );
}

export function promotionTable(namespace, list, hasApplication) {
  return el(
    'table',
    {},
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        ['', hasApplication && 'Application', 'Promotion', 'Snapshot', 'Way', 'Begun']
          .filter((one) => one !== false)
          .map((name) => el('th', { scope: 'col' }, name)),
      ),
    ),
    el(
      'tbody',
      {},
      list.map((one) =>
        el(
          'tr',
          { 'data-key': one.id },
          el('td', {}, badge(one.tone, one.state === 'Completed' ? one.result : one.state)),
          hasApplication &&
            el('td', {}, el('a', { href: pathTo('graph', namespace, one.application) }, one.application)),
          el(
            'td',
            {},
            el('a', { href: pathTo('promotion', namespace, one.name) }, one.name),
            el('small', {}, one.isAutomated ? ' automated' : ' manual'),
          ),
          el('td', {}, snapshotChip(one.snapshot, one.application)),
          el(
            'td',
            { class: 'way' },
            one.way.map(({ environment, status }) => el('span', { class: `passed ${status}` }, environment)),
          ),
          el('td', { class: 'when' }, since(one.createdAt, true)),
        ),
      ),
    ),
  );
}
