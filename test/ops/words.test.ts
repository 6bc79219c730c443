import { describe, expect, it } from 'vitest';
import { cleanse, printable } from '../../scripts/ops/cleanse.ts';
import { lengthInWords, momentInWords } from '../../scripts/ops/in-words.ts';
import { columns } from '../../scripts/ops/lay-out.ts';
import { openPaint } from '../../scripts/ops/paint.ts';
import { readWhen } from '../../scripts/ops/read-when.ts';

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
