// Times by the server's clock: a laptop whose clock is wrong still tells how long something takes.

let ahead = 0;

export function setClock(serverDate) {
  const at = Date.parse(serverDate ?? '');
  // The header has whole seconds; less than that is no difference.
  if (Number.isFinite(at) && Math.abs(at - Date.now()) > 1_500) ahead = at - Date.now();
  else if (Number.isFinite(at)) ahead = 0;
}

export function now() {
  return Date.now() + ahead;
}

/** What is over: below ten seconds the tenths tell one step from another. */
export function took(ms) {
  return ms < 10_000 ? `${(Math.max(0, ms) / 1_000).toFixed(1)}s` : duration(ms);
}

/** "4m 05s", the two largest parts. */
export function duration(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${pad(seconds % 60)}s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}h ${pad(minutes % 60)}m` : `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

function pad(number) {
  return String(number).padStart(2, '0');
}

const parts = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' };
const clock = new Intl.DateTimeFormat(undefined, parts);
const stopwatch = new Intl.DateTimeFormat(undefined, { ...parts, fractionalSecondDigits: 1 });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });

export function exactly(moment) {
  return whole.format(new Date(moment));
}

/** The time of day, and the day where it is not today. Moments of less than ten seconds are told apart by their tenths. */
export function timeOf(moment, within = Number.POSITIVE_INFINITY) {
  const at = new Date(moment);
  const time = (within < 10_000 ? stopwatch : clock).format(at);
  return isToday(moment) ? time : `${day.format(at)}, ${time}`;
}

export function isToday(moment) {
  return new Date(moment).toDateString() === new Date(now()).toDateString();
}

/** What a ticking element says now: how long since, or until, a moment. */
export function tell(element) {
  const { since, until } = element.dataset;
  if (until !== undefined) {
    const left = Date.parse(until) - now();
    return left > 0 ? `${duration(left)} left` : 'any moment';
  }
  return `${duration(now() - Date.parse(since))}${element.dataset.ago === undefined ? '' : ' ago'}`;
}

/** Every second, everything that tells a time. What is far off the screen is not laid out for it. */
export function tick() {
  for (const element of document.querySelectorAll('[data-since], [data-until]')) {
    const text = tell(element);
    if (element.textContent !== text) element.textContent = text;
  }
}
