import { el } from '../dom.js';
import { pathTo, sign, since, snapshotChip, snapshotName, until } from '../marks.js';

/** An application as a line, its environments the stations on it. */
export function drawRow(namespace, columns, application) {
  const { name, cells, promotions } = application;
  const found = new Map(cells.map((cell) => [cell.environment, cell]));
  const active = promotions.find(({ state }) => state === 'Active');
  const arriving = new Map(
    active?.way
      .filter(({ status }) => status === 'in-progress')
      .map(({ environment, tone }) => [environment, { ...active, tone }]),
  );
  return el(
    'div',
    { class: 'row', role: 'row', 'data-key': name },
    cell(
      'rowheader',
      ' name',
      el(
        'a',
        { class: 'stop application', tabindex: '-1', href: pathTo('graph', namespace.name, name) },
        el('b', {}, name),
      ),
    ),
    columns.map((column, at) =>
      cell(
        'gridcell',
        column.name,
        station(namespace, application, column, found.get(column.name), arriving.get(column.name), columns[at - 1]),
      ),
    ),
    cell('gridcell', ' waits', onItsWay(namespace, application, promotions)),
  );
}

/** Around the link, not the link itself: whoever listens has to hear that there is something to open. */
function cell(role, key, link) {
  return el('div', { class: 'cell', role, 'data-key': key }, link);
}

function station(namespace, { name: application }, column, here, arriving, before) {
  const promotion = here?.promotion ?? arriving?.name;
  const href =
    promotion === undefined
      ? pathTo('graph', namespace.name, application)
      : pathTo('promotion', namespace.name, promotion);
  const tone = (here ?? arriving)?.tone;
  const classes = [
    'stop',
    'station',
    // Where environments fork, the one beside is not the one before.
    before !== undefined && (column.parent === undefined || column.parent === before.name) && 'linked',
    tone === undefined ? 'vacant' : `tone-${tone}`,
    promotion !== undefined && tone === 'moving' && 'arriving',
  ];
  return el(
    'a',
    {
      class: classes.filter(Boolean).join(' '),
      tabindex: '-1',
      href,
      title: titleOf(column, here, arriving),
    },
    el('span', { class: 'track' }, tone === undefined ? el('i', { class: 'no-stop' }) : sign(tone, 20)),
    here !== undefined
      ? snapshotChip(here.snapshot, application)
      : arriving !== undefined
        ? snapshotChip(arriving.snapshot, application)
        : el('span', { class: 'none', 'aria-label': 'nothing yet' }, '–'),
    el('small', {}, sayOf(here, arriving)),
  );
}

function sayOf(cell, arriving) {
  if (cell === undefined) return arriving === undefined ? '' : arriving.tone === 'waiting' ? 'Waiting' : 'Arriving';
  if (cell.says !== undefined && cell.says.reason !== '') return spaced(cell.says.reason);
  if (cell.tone === 'good') return 'Healthy';
  if (cell.tone === 'moving' && cell.health === '') return 'Rendering';
  return [cell.sync !== 'Synced' && cell.sync, cell.health].filter(Boolean).join(' · ') || 'Not reported';
}

function titleOf({ name }, cell, arriving) {
  if (cell === undefined)
    return arriving === undefined
      ? `${name}: nothing yet`
      : `${name}: ${arriving.snapshot} ${arriving.tone === 'waiting' ? 'waits' : 'is arriving'}`;
  const lines = [`${name}: ${cell.snapshot}`, [cell.sync, cell.health].filter(Boolean).join(', '), cell.says?.message];
  return lines.filter(Boolean).join('\n');
}

/** NotHealthy: not healthy. */
export function spaced(reason) {
  return reason.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').replace(/(?<= )[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase());
}

function onItsWay(namespace, { name }, promotions) {
  const [first, ...more] = promotions;
  if (first === undefined) return undefined;
  const { waiting } = first;
  const inLine = more.filter(({ state }) => state !== 'Completed').length;
  return el(
    'a',
    {
      class: 'stop waits',
      tabindex: '-1',
      href: pathTo('promotion', namespace.name, first.name),
      title: waiting?.message ?? first.message,
    },
    el(
      'span',
      { class: 'why' },
      sign(first.tone, 15),
      el('b', {}, waiting === undefined ? spaced(first.reason || first.state) : spaced(waiting.reason)),
      el('small', {}, since(waiting?.since ?? first.completedAt ?? first.createdAt)),
    ),
    el(
      'small',
      { class: 'message' },
      waiting?.message ||
        first.message ||
        `${snapshotName(first.snapshot, name)} to ${first.way.map(({ environment }) => environment).join(', ')}`,
    ),
    el(
      'small',
      { class: 'limits' },
      waiting?.until && until(waiting.until),
      first.result === 'Failure' && el('span', {}, `${first.name} has failed`),
      inLine > 0 && el('span', {}, ` + ${inLine} in line`),
    ),
  );
}
