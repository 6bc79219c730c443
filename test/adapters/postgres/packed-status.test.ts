import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fitsPacked, packStatus, unpackStatus } from '../../../shared/adapters/postgres/gitops/packed-status.ts';

describe('a packed status', () => {
  it.each([
    ['CA-08 resources', JSON.stringify({ resources: [{ kind: 'Service', name: 'übung' }] })],
    ['CA-08 operationState', JSON.stringify({ operationState: { phase: 'Running', retryCount: 0 } })],
    ['BS-12 an empty one', '{}'],
    ['BS-12 an empty text', ''],
  ])('%s comes back as it was', (_what, text) => {
    expect(unpackStatus(packStatus(text))).toBe(text);
  });

  it('BS-12 none is none, and one that nobody can read is none', () => {
    expect(unpackStatus(null)).toBeUndefined();
    expect(unpackStatus(Buffer.from('no gzip'))).toBeUndefined();
  });

  it('fits by its packed size, not by its length', () => {
    const random = randomBytes(200_000).toString('hex');

    expect(fitsPacked('x'.repeat(3_000_000))).toBe(true);
    expect(fitsPacked(random.slice(0, 400_000))).toBe(true);
    expect(fitsPacked(random.repeat(2).slice(1) + randomBytes(300_000).toString('base64'))).toBe(false);
  });
});
