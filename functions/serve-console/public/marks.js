import { el, svg } from './dom.js';
import { exactly, tell, timeOf } from './time.js';

/** Colour alone says nothing to many people: every tone has a sign and a word of its own. */
const signs = {
  good: ['M4.5 8.4l2.3 2.3 4.7-5', 'as it should be'],
  moving: ['M5 8h5.4M8 5.4L10.6 8 8 10.6', 'on its way'],
  waiting: ['M8 4.8V8l2.2 1.6', 'waiting'],
  bad: ['M5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8', 'in trouble'],
  unknown: ['M5.5 8h5', 'unknown'],
};

export function sign(tone, size = 18) {
  const [path, word] = signs[tone] ?? signs.unknown;
  return svg(
    'svg',
    { class: `sign tone-${tone}`, viewBox: '0 0 16 16', width: size, height: size, role: 'img', 'aria-label': word },
    svg('circle', { cx: 8, cy: 8, r: 7 }),
    svg('path', { d: path }),
  );
}

export function badge(tone, ...words) {
  return el('span', { class: `badge tone-${tone}` }, sign(tone, 15), ...words);
}

/**
 * The same snapshot has the same colour wherever it is: one sees how far it has come. Red, amber and green are no colours
 * for it: they say how something is.
 */
export function hueOf(text) {
  let hash = 2166136261;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619);
  // The last letter moves only the lowest bits; this spreads it over all of them.
  hash = Math.imul(hash ^ (hash >>> 15), 2246822519);
  hash ^= hash >>> 13;
  return 180 + ((hash >>> 0) % 17) * 10;
}

export function snapshotName(snapshot, application) {
  const isPrefixed = application !== undefined && snapshot.startsWith(`${application}-`);
  return isPrefixed ? snapshot.slice(application.length + 1) : snapshot;
}

export function snapshotChip(snapshot, application) {
  return el(
    'span',
    { class: 'snapshot', title: `Snapshot ${snapshot}`, vars: { hue: hueOf(snapshot) } },
    el('i', {}),
    el('span', {}, snapshotName(snapshot, application)),
  );
}

/** The first letters of a commit; all of it for whoever points at it. */
export function commitMark(commit) {
  return el('code', { class: 'commit', title: commit }, commit.slice(0, 7));
}

export function at(moment) {
  return el('time', { datetime: moment, title: exactly(moment) }, timeOf(moment));
}

/** Ticks by itself. */
export function since(moment, ago = false) {
  const element = el('time', { 'data-since': moment, 'data-ago': ago, title: exactly(moment) });
  element.textContent = tell(element);
  return element;
}

export function until(moment) {
  const element = el('time', { 'data-until': moment, title: `until ${exactly(moment)}` });
  element.textContent = tell(element);
  return element;
}

export function automation(isAutomated) {
  const word = isAutomated ? 'automated' : 'manual';
  const path = isAutomated
    ? 'M9 2L4 9h4l-1 5 5-7H8z'
    : 'M5 7V4.5M7 7V3.5M9 7V4M11 8V5.5M5 7v3c0 2 1.4 3.5 3.5 3.5S12 12 12 10V7';
  return svg(
    'svg',
    { class: `automation ${word}`, viewBox: '0 0 16 16', width: 13, height: 13, role: 'img', 'aria-label': word },
    svg('title', {}, isAutomated ? 'Automated: what is new comes here by itself' : 'Manual: somebody promotes to it'),
    svg('path', { d: path }),
  );
}

/** A path of the console, with names as they are. */
export function pathTo(...words) {
  return ['/console', ...words.map(encodeURIComponent)].join('/');
}
