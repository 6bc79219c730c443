import { el } from '../dom.js';
import { at, automation, badge, commitMark, pathTo, sign, since, snapshotChip, until } from '../marks.js';
import { drawSpan, passed } from '../span.js';
import { took } from '../time.js';
import { spaced } from './board-row.js';
import { promotionTable } from './graph.js';

const stepWords = { 'in-progress': 'in progress', success: 'success', failed: 'failed' };

export const promotion = {
  name: 'promotion',

  draw(data) {
    return [head(data), waitOf(data), endOf(data), drawSpan(data), steps(data), others(data)];
  },

  titleOf: ({ name, application }) => `${name}, ${application}`,
};

function head(data) {
  const {
    namespace,
    name,
    application,
    snapshot,
    state,
    result,
    tone,
    isAutomated,
    cause,
    followers,
    createdAt,
    startedAt,
    completedAt,
  } = data;
  const ended = completedAt ?? undefined;
  return el(
    'div',
    { class: 'head', 'data-key': 'head' },
    el(
      'p',
      { class: 'crumbs' },
      el('a', { href: pathTo('graph', namespace) }, namespace),
      ' / ',
      el('a', { href: pathTo('graph', namespace, application) }, application),
    ),
    el('h1', {}, name),
    el(
      'div',
      { class: 'marks', role: 'status' },
      badge(tone, state === 'Completed' ? result : state),
      snapshotChip(snapshot, application),
    ),
    el(
      'dl',
      { class: 'facts' },
      fact('Kind', automation(isAutomated), isAutomated ? ' automated' : ' manual'),
      fact('Started by', causeOf(namespace, cause, isAutomated)),
      fact('Created', at(createdAt)),
      fact('Its turn came', startedAt === undefined ? 'not yet' : at(startedAt)),
      ended === undefined
        ? fact('Running for', since(startedAt ?? createdAt))
        : fact('Ended', at(ended), ` after ${took(Date.parse(ended) - Date.parse(startedAt ?? createdAt))}`),
      followers.length > 0 &&
        fact(
          'Followed by',
          followers.map((one) =>
            el(
              'a',
              { class: 'follower', href: pathTo('promotion', namespace, one.name) },
              sign(one.tone, 14),
              one.name,
            ),
          ),
        ),
    ),
  );
}

function fact(name, ...value) {
  return el('div', { 'data-key': name }, el('dt', {}, name), el('dd', {}, ...value));
}

function causeOf(namespace, { kind, name }, isAutomated) {
  if (name === '') return isAutomated ? 'somebody' : 'a person';
  if (kind === 'PromotionRun') return ['the run ', el('a', { href: pathTo('promotion', namespace, name) }, name)];
  return `the new snapshot ${name}`;
}

function waitOf({ waiting, state }) {
  if (waiting === undefined || state === 'Completed') return undefined;
  const whole = Date.parse(waiting.until) - Date.parse(waiting.since);
  return el(
    'section',
    { class: 'wait', 'aria-label': 'What it waits for', 'data-key': 'wait' },
    sign('waiting', 22),
    el('div', {}, el('h2', {}, spaced(waiting.reason)), el('p', {}, waiting.message)),
    el(
      'p',
      { class: 'limits' },
      'for ',
      since(waiting.since),
      waiting.until && [' · ', until(waiting.until)],
      Number.isFinite(whole) &&
        el('progress', {
          'data-from': waiting.since,
          'data-to': waiting.until,
          max: '1',
          value: passed(waiting.since, waiting.until),
          'aria-label': 'Time used',
        }),
    ),
  );
}

function endOf({ state, result, reason, message }) {
  if (state !== 'Completed' || result === 'Success') return undefined;
  return el(
    'section',
    { class: 'failure', role: 'alert', 'data-key': 'end' },
    sign('bad', 22),
    el('div', {}, el('h2', {}, spaced(reason) || result), el('p', {}, message)),
  );
}

function steps(data) {
  const depths = Map.groupBy(data.steps, ({ step }) => step);
  const ahead = aheadOf(data);
  return el(
    'section',
    { class: 'steps', 'data-key': 'steps' },
    el('h2', {}, 'Evidence'),
    [...depths].map(([depth, list]) =>
      el(
        'div',
        { class: 'depth', 'data-key': `depth-${depth}` },
        el('h3', {}, `Step ${depth}`),
        list.map((one) => stepCard(data, one)),
      ),
    ),
    data.steps.length === 0 &&
      el(
        'p',
        { class: 'nothing' },
        `Nothing has begun. It begins in ${data.beginsIn.join(', ') || 'no environment yet'}.`,
      ),
    ahead.length > 0 &&
      el(
        'div',
        { class: 'depth ahead', 'data-key': 'ahead' },
        el('h3', {}, 'Next'),
        ahead.map(({ name, isAutomated }) =>
          el(
            'p',
            { class: 'ghost' },
            automation(isAutomated),
            el('b', {}, name),
            isAutomated ? ' comes by itself when all of this has succeeded' : ' is manual: this run stops before it',
          ),
        ),
      ),
  );
}

/** Where it would go on to from what it has reached. */
function aheadOf({ steps: list, environments, state, isAutomated }) {
  if (state === 'Completed' || list.length === 0) return [];
  const passed = new Set(list.map(({ environment }) => environment));
  const deepest = Math.max(...list.map(({ step }) => step));
  const front = new Set(list.filter(({ step }) => step === deepest).map(({ environment }) => environment));
  // Where others promote, and where nobody will be any more, it does not go.
  const children = environments.filter(
    ({ name, parent, controller, isLeaving }) =>
      front.has(parent) && !passed.has(name) && controller === '' && !isLeaving,
  );
  // A manual run ends with its one step; the automated children follow in a run of their own.
  return isAutomated ? children : children.filter((child) => child.isAutomated);
}

function stepCard({ environments }, step) {
  const { environment, status, tone, reason, message, beganAt, readyAt, endedAt, commit, binding, evidence } = step;
  const place = environments.find(({ name }) => name === environment);
  return el(
    'article',
    { class: `step tone-${tone}`, 'data-key': environment, id: `step-${environment}` },
    el(
      'header',
      {},
      sign(tone, 24),
      el('h4', {}, environment),
      place !== undefined && el('span', { class: 'place-target' }, place.target),
      el('span', { class: 'grow' }),
      badge(tone, stepWords[status]),
    ),
    message !== '' && status !== 'success' && el('p', { class: 'says' }, el('b', {}, spaced(reason)), ' ', message),
    el(
      'dl',
      { class: 'facts' },
      fact('Begun', at(beganAt)),
      fact('Target ready', readyAt === undefined ? 'not yet' : at(readyAt)),
      endedAt === undefined
        ? fact('So far', since(beganAt))
        : fact('Ended', at(endedAt), ` after ${took(Date.parse(endedAt) - Date.parse(beganAt))}`),
      fact('Commit', commit === '' ? 'none yet' : commitMark(commit)),
      fact('Binding', binding),
    ),
    evidence.length === 0
      ? el('p', { class: 'nothing' }, 'No component has been deployed yet.')
      : evidenceTable(evidence, status),
  );
}

function evidenceTable(evidence, status) {
  return el(
    'div',
    { class: 'scroll' },
    el(
      'table',
      { class: 'evidence' },
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          ['', 'Component', 'Sync', 'Health', 'Revision', 'Operation', 'Observed', 'Deployment'].map((name) =>
            el('th', { scope: 'col' }, name),
          ),
        ),
      ),
      el(
        'tbody',
        {},
        evidence.map((one) => evidenceRow(one, status === 'failed')),
      ),
    ),
  );
}

/** Seen as it should be; or, in other letters, what Argo CD says meanwhile, until it is too late for that. */
function evidenceRow(one, isTooLate) {
  const { component, deployment, observedAt, now: meanwhile } = one;
  const seen = observedAt === undefined ? meanwhile : one;
  const tone =
    observedAt !== undefined
      ? 'good'
      : isTooLate || meanwhile?.health === 'Degraded' || meanwhile?.trouble
        ? 'bad'
        : 'moving';
  return el(
    'tr',
    { class: observedAt === undefined ? 'not-yet' : 'seen', 'data-key': component },
    el('td', {}, sign(tone, 16)),
    el('th', { scope: 'row' }, component),
    el('td', {}, seen?.sync || '–'),
    el('td', {}, seen?.health || '–'),
    el('td', {}, seen?.revision ? commitMark(seen.revision) : '–'),
    el('td', {}, seen?.operation || '–'),
    el(
      'td',
      {},
      observedAt === undefined
        ? meanwhile?.trouble || (isTooLate ? 'not in time' : 'not as it should be yet')
        : at(observedAt),
    ),
    el('td', { class: 'deployment' }, deployment),
  );
}

function others({ others: list, application, namespace }) {
  if (list.length === 0) return undefined;
  return el(
    'section',
    { class: 'list', 'data-key': 'others' },
    el('h2', {}, `Other promotions of ${application}`),
    promotionTable(
      namespace,
      list.map((one) => ({ ...one, application })),
      false,
    ),
  );
}
