import { describe, expect, it } from 'vitest';
import { openLogger } from '../../../shared/adapters/telemetry/logger.ts';
import { redact } from '../../../shared/adapters/telemetry/redact.ts';

// Made of parts, so that no scanner takes a test for a leak.
const glue = (...parts: string[]): string => parts.join('');
const secret = 'S3cr3t-v4lue.with_odd-chars';

const leaks: Record<string, string> = {
  'a password in a URL': `cannot clone https://user:${secret}@git.example.com/org/repo`,
  'a token in a URL': `cannot clone https://${secret}@git.example.com/org/repo`,
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

  it('less of what is harmless', () => {
    const harmless = 'the token-bucket of team/web is empty; see https://git.example.com/org/repo at 1a2b3c';

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
