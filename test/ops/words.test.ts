import { describe, expect, it } from 'vitest';
import { cleanse, jsonText, printable } from '../../scripts/ops/cleanse.ts';
import { lengthInWords, momentInWords } from '../../scripts/ops/in-words.ts';
import { columns } from '../../scripts/ops/lay-out.ts';
import { openPaint } from '../../scripts/ops/paint.ts';
import { readWhen } from '../../scripts/ops/read-when.ts';
import { knockInWords, waitInWords } from '../../scripts/ops/render-pending.ts';

const now = Date.parse('2026-01-31T12:00:00Z');

describe('a time that an operator writes', () => {
  it.each([
    ['90s', '2026-01-31T11:58:30.000Z'],
    ['30m', '2026-01-31T11:30:00.000Z'],
    ['1d12h', '2026-01-30T00:00:00.000Z'],
    ['2026-01-31T10:00:00+01:00', '2026-01-31T09:00:00.000Z'],
    ['2026-01-30', '2026-01-30T00:00:00.000Z'],
  ])('%s means %s', (text, moment) => {
    expect(new Date(readWhen('--since', text, now)).toISOString()).toBe(moment);
  });

  it.each(['', 'yesterday', '2', '2 h', '-2h', '2026-13-40'])('is not understood when it is "%s"', (text) => {
    expect(() => readWhen('--since', text, now)).toThrow('--since does not understand');
  });
});

describe('a length of time', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [59_999, '1 min'],
    [3_600_000, '1 h'],
    [90_061_000, '1 d 1 h'],
  ])('of %i milliseconds reads %s', (ms, words) => {
    expect(lengthInWords(ms)).toBe(words);
  });

  it('is behind us or ahead of us', () => {
    expect(momentInWords('2026-01-31T11:58:00Z', now)).toBe('2 min ago');
    expect(momentInWords('2026-01-31T12:02:00Z', now)).toBe('in 2 min');
  });
});

describe('what is due', () => {
  const wait = {
    function: 'run-errand',
    subject: 'team-a/web',
    type: 'claim.changed.v1',
    data: { namespace: 'team-a', name: 'web' },
    serialKey: 'errand:team-a/web',
    reason: 'RoadClosed',
    message: 'The road is closed',
    since: '2026-01-31T11:00:00Z',
  };
  const knock = { ...wait, id: 'k', state: 'sent' as const, sends: 1 };

  it.each([
    ['2026-01-31T12:00:04Z', '2026-01-31T13:00:00Z', 'looks again in 4 s, gives up in 1 h'],
    ['2026-01-31T11:59:56Z', '2026-01-31T13:00:00Z', 'a look has been due for 4 s, gives up in 1 h'],
    ['2026-01-31T11:59:56Z', '2026-01-31T11:59:57Z', 'a look has been due for 4 s, gives up at the next look'],
  ])('at %s, with an end at %s: %s', (due, deadline, words) => {
    expect(waitInWords({ ...wait, due, deadline }, now)).toContain(`since 2026-01-31 11:00:00, ${words}`);
  });

  it.each([
    ['2026-01-31T12:00:04Z', 'it is sent again in 4 s if nobody serves it'],
    ['2026-01-31T11:59:56Z', 'it has been due to be sent again for 4 s'],
  ])('at %s of a message: %s', (due, words) => {
    expect(knockInWords({ ...knock, due }, now)).toContain(words);
  });
});

describe('what is printed', () => {
  it('holds no secret, neither in a text nor under its own name', () => {
    const value = {
      reason: 'git said https://me:pass1word@git.example/x',
      details: { password: 'two words', name: 'web', list: ['token=abc'] },
      count: 3,
    };

    expect(cleanse(value)).toEqual({
      reason: 'git said https://***@git.example/x',
      details: { password: '***', name: 'web', list: ['token=***'] },
      count: 3,
    });
  });

  it('holds nothing that a terminal would obey', () => {
    expect(printable({ body: 'red \u001b[31m\u0007\nnext\tline \u202e' })).toEqual({
      body: 'red ·[31m·\nnext\tline ·',
    });
  });

  it('holds nothing that a terminal would obey as JSON either, and reads as it was', () => {
    const value = { 'name\u0085': 'red \u001b[31m \u009b31m\u007f \u202e\u2066', next: ['line\n', 'ü'] };

    expect(jsonText(value)).toBe(
      String.raw`{"name\u0085":"red \u001b[31m \u009b31m\u007f \u202e\u2066","next":["line\n","ü"]}`,
    );
    expect(JSON.parse(jsonText(value))).toEqual(value);
  });

  it('stands in columns, whatever its colour', () => {
    expect(
      columns([
        ['\u001b[1ma\u001b[22m', 'x'],
        ['long', 'y'],
      ]),
    ).toEqual(['\u001b[1ma\u001b[22m     x', 'long  y']);
  });

  it.each([
    ['colour on a terminal', true, undefined, '\u001b[31mdead\u001b[39m'],
    ['no colour where NO_COLOR is set', true, '1', 'dead'],
    ['colour where NO_COLOR is empty', true, '', '\u001b[31mdead\u001b[39m'],
    ['no colour where there is no terminal', false, undefined, 'dead'],
  ])('has %s', (_words, isTTY, noColor, text) => {
    expect(openPaint({ isTTY }, noColor).bad('dead')).toBe(text);
  });
});
