import { isIPv4, isIPv6 } from 'node:net';

type FormatCheck = (text: string) => boolean;

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

/** The formats that a real server checks. A format that is not here is ignored, there and here. */
const checks = new Map<string, FormatCheck>(
  Object.entries<FormatCheck>({
    'date-time': isDateTime,
    date: isDate,
    duration: isDuration,
    byte: isBase64,
    password: () => true,
    uri: isUri,
    email: (text) => /^[^\s@<>]+@[^\s@<>]+$/.test(text) || /<[^\s@<>]+@[^\s@<>]+>$/.test(text),
    hostname: isHostname,
    ipv4: isIPv4,
    ipv6: isIPv6,
    cidr: isCidr,
    mac: (text) => /^([0-9a-f]{2}([:-])([0-9a-f]{2}\2){4}[0-9a-f]{2}|([0-9a-f]{4}\.){2}[0-9a-f]{4})$/i.test(text),
    uuid: (text) => uuid.test(text),
    uuid3: (text) => uuid.test(text) && text.replaceAll('-', '')[12] === '3',
    uuid4: (text) => isVersionedUuid(text, '4'),
    uuid5: (text) => isVersionedUuid(text, '5'),
    hexcolor: (text) => /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text),
    ssn: (text) => /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
    'k8s-short-name': (text) => text.length <= 63 && new RegExp(`^${label}$`).test(text),
    'k8s-long-name': (text) => text.length <= 253 && new RegExp(`^${label}(\\.${label})*$`).test(text),
  }).map(([name, check]) => [normalized(name), check]),
);

/** Dashes do not matter in the name of a format. */
function normalized(name: string): string {
  return name.replaceAll('-', '');
}

export function findFormat(name: string): FormatCheck | undefined {
  return checks.get(normalized(name));
}

const daysInMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (parts === null) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 && !isLeap ? 28 : (daysInMonth[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

/** Nearly every time is written by a program, in this one way. */
const usualTime = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?Z$/;

function isDateTime(text: string): boolean {
  if (usualTime.test(text)) return true;
  const [date, time] = text.toLowerCase().split('t');
  if (date === undefined || time === undefined || !isDate(date)) return false;
  const parts = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/.exec(time);
  if (parts === null) return false;
  return Number(parts[1]) <= 23 && Number(parts[2]) <= 59 && Number(parts[3]) <= 59;
}

/** Both `1h30m` and the wordy `3 days` are understood. */
function isDuration(text: string): boolean {
  if (/^[+-]?(0|((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return true;
  const words = text.matchAll(/\d+\s*([A-Za-zµ]+)/g);
  for (const [, word] of words) {
    const isUnit =
      /^(ns|us|µs|ms|s|m|h|d|w)$/i.test(word ?? '') ||
      /^(nano|micro|milli|sec|min|hr|hour|day|week|wk)/i.test(word ?? '');
    if (isUnit) return true;
  }
  return false;
}

function isBase64(text: string): boolean {
  return text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

function isUri(text: string): boolean {
  if (/\s|\p{Cc}/u.test(text)) return false;
  return text.startsWith('/') || /^[a-zA-Z][a-zA-Z0-9+.-]*:[^\s]+$/.test(text);
}

function isHostname(text: string): boolean {
  const part = '[a-zA-Z0-9\\p{S}\\p{L}]';
  const single = `${part}(-?${part}{0,62})?`;
  const dotted = `(${part}([a-zA-Z0-9\\-\\p{S}\\p{L}]{0,61}${part})?\\.)+[a-zA-Z\\p{L}]{2,63}`;
  if (Buffer.byteLength(text) > 255 || !new RegExp(`^(${single}|${dotted})$`, 'u').test(text)) return false;
  return text.split('.').every((each) => Buffer.byteLength(each) <= 63);
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  if (rest.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(bits)) return false;
  return (isIPv4(address) && Number(bits) <= 32) || (isIPv6(address) && Number(bits) <= 128);
}

function isVersionedUuid(text: string, version: string): boolean {
  const digits = text.replaceAll('-', '').toLowerCase();
  return uuid.test(text) && digits[12] === version && '89ab'.includes(digits[16] ?? '-');
}
