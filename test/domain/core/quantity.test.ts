import { describe, expect, it } from 'vitest';
import { billionthsOf, offers } from '../../../shared/domain/core/quantity.ts';

const one = 1_000_000_000n;

describe('an amount', () => {
  it.each([
    ['1', one],
    ['0', 0n],
    ['007', 7n * one],
    ['+2', 2n * one],
    ['-2', -2n * one],
    ['200m', one / 5n],
    ['1500m', (3n * one) / 2n],
    ['0.5', one / 2n],
    ['.5', one / 2n],
    ['5.', 5n * one],
    ['1n', 1n],
    ['1u', 1_000n],
    ['3k', 3_000n * one],
    ['2M', 2_000_000n * one],
    ['1G', 10n ** 18n],
    ['1Ki', 1024n * one],
    ['1.5Gi', 3n * 1024n ** 3n * (one / 2n)],
    ['1Ei', 1024n ** 6n * one],
    ['1E', 10n ** 18n * one],
    ['1E3', 1_000n * one],
    ['1e3', 1_000n * one],
    ['1e-3', 1_000_000n],
    ['12e-1', (12n * one) / 10n],
  ])('%s is read to the last billionth', (amount, expected) => {
    expect(billionthsOf(amount)).toBe(expected);
  });

  it.each([
    ['1Gi', '1024Mi'],
    ['1', '1000m'],
    ['0.1', '100m'],
    ['1e3', '1k'],
  ])('%s is %s', (amount, other) => {
    expect(billionthsOf(amount)).toBe(billionthsOf(other));
  });

  it.each(['0.1n', '1e-100', '1e-12345', '0.0000000001'])(
    '%s is too small to be counted, and is not nothing',
    (amount) => {
      expect(billionthsOf(amount)).toBe(1n);
    },
  );

  it.each(['1e19', '1e12345', '9999999999999999999999', '10E', '9Ei'])(
    '%s is more than there can be, and counts as the most there can be',
    (amount) => {
      expect(billionthsOf(amount)).toBe((2n ** 63n - 1n) * one);
      expect(billionthsOf(`-${amount}`)).toBe(-(2n ** 63n - 1n) * one);
    },
  );

  it.each([undefined, '', 'much', '1 Gi', '1gi', '1KiB', 'm', '.', '1e', '--1', '1.2.3', '1,5'])(
    '%s is none, and counts as nothing',
    (amount) => {
      expect(billionthsOf(amount)).toBe(0n);
    },
  );
});

describe('an offer is enough', () => {
  it.each([
    ['for nothing at all', undefined, undefined, true],
    ['for who asks for nothing in particular', { requests: { cpu: '1' } }, { requests: {}, limits: {} }, true],
    ['for exactly as much', { requests: { cpu: '1', memory: '1Gi' } }, { requests: { cpu: '1000m' } }, true],
    ['not for a little more', { requests: { cpu: '1' } }, { requests: { cpu: '1001m' } }, false],
    ['not for what it does not name', { requests: { cpu: '1' } }, { requests: { memory: '1' } }, false],
    ['for zero of what it does not name', { requests: { cpu: '1' } }, { requests: { memory: '0' } }, true],
    ['not for limits, where it has requests alone', { requests: { cpu: '4' } }, { limits: { cpu: '1' } }, false],
    ['not where it offers nothing', undefined, { limits: { cpu: '1m' } }, false],
    [
      'not where one of many lacks',
      { limits: { cpu: '4', storage: '1Gi' } },
      { limits: { cpu: '1', storage: '2Gi' } },
      false,
    ],
    ['not for more than there can be', { limits: { cpu: '4' } }, { limits: { cpu: '1e12345' } }, false],
  ])('%s', (_what, offered, asked, expected) => {
    expect(offers(offered, asked)).toBe(expected);
  });
});
