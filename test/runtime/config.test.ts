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

  it.each([
    ['a number', '5', 5],
    ['zero, which is never', '0', 0],
    ['not set', undefined, 30],
  ])('BS-11 takes the minutes between two drift passes where they are %s', (_what, DRIFT_INTERVAL_MINUTES, minutes) => {
    expect(readConfig(['upkeep'], { DRIFT_INTERVAL_MINUTES }).upkeep.DRIFT_INTERVAL_MINUTES).toBe(minutes);
  });

  it.each(['soon', '5m', '-1', '1.5'])('BS-11 names the setting where the minutes are %s', (DRIFT_INTERVAL_MINUTES) => {
    expect(() => readConfig(['upkeep'], { DRIFT_INTERVAL_MINUTES })).toThrow('DRIFT_INTERVAL_MINUTES (upkeep)');
  });

  it('cannot be changed once it is read', () => {
    const { host } = readConfig(['host'], {});

    expect(() => Object.assign(host, { PORT: 1 })).toThrow(TypeError);
  });
});
