import { describe, expect, it } from 'vitest';
import { openLogger } from '../../../shared/adapters/telemetry/logger.ts';
import { redact } from '../../../shared/adapters/telemetry/redact.ts';

// Made of parts, so that no scanner takes a test for a leak.
const glue = (...parts: string[]): string => parts.join('');
const secret = 'S3cr3t-v4lue.with_odd-chars';

const leaks: Record<string, string> = {
  'G16 G20 a password in a URL': `cannot clone https://user:${secret}@git.example.com/org/repo`,
  'G16 G20 a token in a URL': `cannot clone https://${secret}@git.example.com/org/repo`,
  'G20 a password with escapes in a URL': `cannot clone https://user:${secret}%2F${secret}%40@git.example.com/org/repo`,
  'G20 a password in a URL that is escaped itself': `GET /?url=https%3A%2F%2Fuser%3A${secret}%40git.example.com%2Forg`,
  'G20 a token in a URL that is escaped itself': `GET /?url=https%3a%2f%2f${secret}%40git.example.com%2forg`,
  'G20 a password with an @ in a URL': `cannot clone https://user:x@${secret}@git.example.com/org/repo`,
  'a database URL': `postgres://stagecoach:${secret}@10.0.0.1:5432/x refused`,
  'a bearer token': `Authorization: Bearer ${secret}`,
  'basic credentials': 'authorization: basic UzNjcjN0LXY0bHVlLndpdGg=',
  'a GitHub token': glue('ghp', '_', 'a'.repeat(36)),
  'a GitLab token': glue('glpat', '-', 'x1y2z3-', 'a'.repeat(12)),
  'a signed token': glue('ey', 'J', 'hbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxMjM0NTY3ODkwIn0', '.c2lnbmF0dXJl'),
  'a private key': `-----BEGIN OPENSSH PRIVATE KEY-----\n${secret}\n-----END OPENSSH PRIVATE KEY-----`,
  'a private key that was cut off': `-----BEGIN RSA PRIVATE KEY-----\n${secret}`,
  'a kubeconfig': `users:\n- user:\n    token: ${secret}\n    client-key-data: ${secret}`,
  'a field of a JSON body': `{"password":"${secret}","user":"me"}`,
};

describe('a log line never holds', () => {
  it.each(Object.entries(leaks))('%s', (_what, text) => {
    const lines: string[] = [];
    const log = openLogger({ level: 'info', write: (line) => lines.push(line), clock: { now: () => 0 } });

    log.error('step', { error: text, reason: text, stack: text, url: text });

    for (const value of [secret, 'UzNjcjN0LXY0bHVlLndpdGg', 'a'.repeat(12), 'c2lnbmF0dXJl'])
      expect(lines[0]).not.toContain(value);
  });

  it('G16 several of them, each in its place', () => {
    const several = `https://a:${secret}@one.example/x and https://${secret}@two.example/y%40z`;

    expect(redact(several)).toBe('https://***@one.example/x and https://***@two.example/y%40z');
  });

  it('G16 less of what is harmless', () => {
    for (const harmless of [
      'the token-bucket of team/web is empty; see https://git.example.com/org/repo at 1a2b3c',
      'me@example.com asked for git@git.example.com:org/repo and https%3A%2F%2Fgit.example.com%2Forg%40v1',
    ])
      expect(redact(harmless)).toBe(harmless);
  });
});

describe('a log line', () => {
  it('is one JSON object with a constant message, and its level decides who reads it', () => {
    const lines: string[] = [];
    const log = openLogger({
      level: 'info',
      stage: 'test',
      write: (line) => lines.push(line),
      clock: { now: () => 0 },
    });

    log.debug('not shown');
    log.warn('queue does not answer', { queue: 'run-errand', attempt: 2 });

    expect(lines).toEqual([
      '{"ts":"1970-01-01T00:00:00.000Z","level":"warn","msg":"queue does not answer","stage":"test","queue":"run-errand","attempt":2}\n',
    ]);
  });
});
