import { el } from './dom.js';
import { duration, isToday, now, timeOf, took } from './time.js';

/**
 * The whole promotion over time: its wait for its turn, then every environment from its beginning to its end, hatched
 * while its target was not ready. What goes on grows to the right; `growSpans` moves it.
 */
export function drawSpan({ createdAt, startedAt, completedAt, steps, state }) {
  const bars = [
    { name: 'its turn', tone: 'waiting', from: createdAt, to: startedAt ?? completedAt },
    ...steps.map(({ environment, tone, beganAt, readyAt, endedAt }) => ({
      name: environment,
      tone,
      from: beganAt,
      ready: readyAt,
      to: endedAt,
    })),
  ];
  const drawn = el(
    'section',
    {
      class: 'span',
      'aria-label': 'Over time',
      'data-key': 'span',
      'data-begin': createdAt,
      'data-end': state === 'Completed' ? completedAt : undefined,
    },
    el(
      'div',
      { class: 'axis', 'aria-hidden': 'true' },
      [0, 1, 2, 3, 4].map((part) => el('span', { 'data-part': part / 4 })),
    ),
    bars.map((bar) =>
      el(
        'div',
        { class: `lane tone-${bar.tone}`, 'data-key': bar.name },
        el('span', { class: 'lane-name', title: bar.name }, bar.name),
        el(
          'span',
          { class: 'lane-way' },
          el(
            'span',
            {
              class: `lane-bar${bar.to === undefined ? ' growing' : ''}`,
              'data-from': bar.from,
              'data-to': bar.to,
              'data-ready': bar.ready,
            },
            bar.ready !== undefined && bar.ready !== bar.from && el('i', { class: 'lane-hatched' }),
          ),
          el('span', { class: 'lane-time' }),
        ),
      ),
    ),
  );
  grow(drawn);
  return drawn;
}

/** How much of the time between two moments has passed. */
export function passed(from, to) {
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  return Math.min(1, Math.max(0, (now() - begin) / (end - begin))).toFixed(3);
}

export function growSpans() {
  for (const bar of document.querySelectorAll('.wait progress')) bar.value = passed(bar.dataset.from, bar.dataset.to);
  for (const span of document.querySelectorAll('.span')) grow(span);
}

function grow(span) {
  const begin = Date.parse(span.dataset.begin);
  const end = Math.max(span.dataset.end === undefined ? now() : Date.parse(span.dataset.end), begin + 1_000);
  // A little room on the right, so that what grows is seen to grow.
  const whole = (end - begin) * 1.06;
  const share = (moment) => `${(((moment - begin) / whole) * 100).toFixed(3)}%`;
  span.querySelector('.axis').classList.toggle('days', !isToday(begin));
  for (const mark of span.querySelectorAll('.axis span')) {
    const moment = begin + Number(mark.dataset.part) * (end - begin);
    mark.style.setProperty('--at', share(moment));
    mark.textContent = timeOf(moment, end - begin);
  }
  for (const bar of span.querySelectorAll('.lane-bar')) {
    const from = Date.parse(bar.dataset.from);
    const to = bar.dataset.to === undefined ? end : Date.parse(bar.dataset.to);
    bar.style.setProperty('--from', share(from));
    bar.style.setProperty('--long', `${(((to - from) / whole) * 100).toFixed(3)}%`);
    bar.parentElement.style.setProperty('--end', share(to));
    const hatched = bar.querySelector('.lane-hatched');
    hatched?.style.setProperty(
      '--long',
      `${Math.min(100, ((Date.parse(bar.dataset.ready) - from) / Math.max(1, to - from)) * 100).toFixed(2)}%`,
    );
    bar.nextElementSibling.textContent = (bar.dataset.to === undefined ? duration : took)(to - from);
  }
}
