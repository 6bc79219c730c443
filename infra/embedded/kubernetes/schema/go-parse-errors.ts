import { quote } from './go-text.ts';

const layoutParts: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d{2}/],
  ['-', /^-/],
  ['02', /^\d{2}/],
  ['T', /^T/],
  ['15', /^\d{2}/],
  [':', /^:/],
  ['04', /^\d{2}/],
  [':', /^:/],
  ['05', /^\d{2}(?:[.,]\d+)?/],
  ['Z07:00', /^(?:Z|[+-]\d{2}:\d{2})/],
];

/** What Go says of a text that is not a time; nothing where it is one. */
export function timeError(text: string, isMicro: boolean): string | undefined {
  const layout = isMicro ? '2006-01-02T15:04:05.000000Z07:00' : '2006-01-02T15:04:05Z07:00';
  let rest = text;
  for (const [name, pattern] of layoutParts) {
    const found = pattern.exec(rest);
    if (found === null)
      return `parsing time ${quote(text)} as ${quote(layout)}: cannot parse ${quote(rest)} as ${quote(name)}`;
    rest = rest.slice(found[0].length);
  }
  if (rest !== '') return `parsing time ${quote(text)}: extra text: ${quote(rest)}`;
  const wrong = outOfRange(text);
  return wrong === undefined ? undefined : `parsing time ${quote(text)}: ${wrong} out of range`;
}

function outOfRange(text: string): string | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = text.slice(0, 19).split(/[-T:]/).map(Number);
  if (month < 1 || month > 12) return 'month';
  if (day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return 'day';
  if (hour > 23) return 'hour';
  if (minute > 59) return 'minute';
  return second > 59 ? 'second' : undefined;
}

/** What Go says of a text that is not base64; nothing where it is. Line breaks are skipped. */
export function base64Error(text: string): string | undefined {
  const wrong = /[^A-Za-z0-9+/=\r\n]/.exec(text);
  if (wrong !== null) return `illegal base64 data at input byte ${wrong.index}`;
  const plain = text.replace(/[\r\n]/g, '');
  const padding = plain.indexOf('=');
  if (padding >= 0 && (padding % 4 < 2 || !/^={1,2}$/.test(plain.slice(padding)))) {
    return `illegal base64 data at input byte ${padding}`;
  }
  if (plain.length % 4 === 0) return undefined;
  return `illegal base64 data at input byte ${plain.length - (plain.length % 4)}`;
}
