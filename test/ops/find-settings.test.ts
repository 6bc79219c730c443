import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findSettings } from '../../scripts/ops/find-settings.ts';

const embedded = {
  DATABASE_URL: 'postgres://127.0.0.1:5/embedded',
  AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:6',
  AWS_REGION: 'us-east-1',
};

/** The largest number a process may have on Linux is one below this. */
const nobody = 4_194_304;

describe('the settings of the command line', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'stagecoach-settings-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function aStartRuns(pid: number, environment: Record<string, string> = embedded): void {
    writeFileSync(join(folder, 'running.json'), JSON.stringify({ pid, url: 'http://127.0.0.1:7', environment }));
  }

  it('are those of the environment where it has a database and a queue', () => {
    aStartRuns(process.pid);

    const settings = findSettings(folder, {
      DATABASE_URL: 'postgres://mine',
      AWS_ENDPOINT_URL_SQS: 'http://mine',
      EMPTY: '',
    });

    expect(settings).toEqual({ DATABASE_URL: 'postgres://mine', AWS_ENDPOINT_URL_SQS: 'http://mine' });
  });

  it('are those of the start that runs in the folder where nothing else is set', () => {
    aStartRuns(process.pid);

    expect(findSettings(folder, { PATH: '/bin', DATABASE_URL: '' })).toEqual({ ...embedded, PATH: '/bin' });
  });

  it('are taken from a start on the database that the environment names', () => {
    aStartRuns(process.pid, { AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:6' });

    expect(findSettings(folder, { DATABASE_URL: 'postgres://mine' })).toEqual({
      DATABASE_URL: 'postgres://mine',
      AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:6',
    });
  });

  it.each([
    ['a database of its own', { DATABASE_URL: 'postgres://mine' }, 'DATABASE_URL is set'],
    ['a queue of its own', { AWS_ENDPOINT_URL_SQS: 'http://mine' }, 'AWS_ENDPOINT_URL_SQS is set'],
    ['the region of Amazon', { AWS_REGION: 'eu-west-1' }, 'AWS_REGION is set'],
  ])('never mix a start that runs here with %s', (_words, environment, message) => {
    aStartRuns(process.pid);

    expect(() => findSettings(folder, environment)).toThrow(message);
  });

  it.each([
    [
      'nothing runs',
      () => undefined,
      {},
      'Nothing is configured and no embedded Stagecoach runs here: npm start, or set DATABASE_URL and AWS_ENDPOINT_URL_SQS.',
    ],
    ['what ran has ended', () => aStartRuns(nobody), {}, 'Nothing is configured and no embedded Stagecoach runs here'],
    [
      'only a database is set',
      () => undefined,
      { DATABASE_URL: 'postgres://mine' },
      'AWS_ENDPOINT_URL_SQS is not set and no embedded Stagecoach runs here',
    ],
    [
      'the file of the start is broken',
      () => writeFileSync(join(folder, 'running.json'), '{'),
      {},
      'Restart npm start',
    ],
  ])('are missing where %s, and the error says what to do', (_words, given, environment, message) => {
    given();

    expect(() => findSettings(folder, environment)).toThrow(message);
  });
});
