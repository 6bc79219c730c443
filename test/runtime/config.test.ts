import { describe, expect, it } from 'vitest';
import { readConfig } from '../../shared/runtime/config.ts';

describe('the configuration', () => {
  it('names every problem, and no value', () => {
    const read = () =>
      readConfig(['database', 'host', 'credentials'], { DATABASE_POOL_SIZE: 'hunter2', PORT: '99999' });

    expect(read).toThrow(
      'DATABASE_URL (database), DATABASE_POOL_SIZE (database), PORT (host), CREDENTIAL_KEYS_FILE (credentials)',
    );
    expect(read).not.toThrow('hunter2');
  });

  it('has a default wherever there can be one', () => {
    const { database, steps, host } = readConfig(['database', 'steps', 'host'], { DATABASE_URL: 'postgres://x/y' });

    expect(database.DATABASE_POOL_SIZE).toBe(8);
    expect(steps.RETRY_CAP_SECONDS).toBe(120);
    expect(host.HOST).toBe('127.0.0.1');
  });

  it('takes an empty variable for one that is not set', () => {
    expect(readConfig(['queues'], { AWS_ENDPOINT_URL_SQS: '' }).queues.AWS_ENDPOINT_URL_SQS).toBeUndefined();
  });

  it('cannot be changed once it is read', () => {
    const { host } = readConfig(['host'], {});

    expect(() => Object.assign(host, { PORT: 1 })).toThrow(TypeError);
  });
});
