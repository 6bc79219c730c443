import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Exit, exits } from './exit.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What `npm start` leaves in its folder while it runs, so that others find what it started. */
const Running = z.looseObject({
  pid: z.number().int().positive(),
  environment: z.record(z.string(), z.string()),
});

/**
 * The settings to work with: those of the environment, and where database or queue are missing there, those of the
 * Stagecoach that runs on embedded parts in this folder.
 */
export function findSettings(folder: string, environment: Environment): Environment {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const hasDatabase = given['DATABASE_URL'] !== undefined;
  // A region alone means Amazon's own endpoint, as it does for npm start.
  const queueSetting = ['AWS_ENDPOINT_URL_SQS', 'AWS_ENDPOINT_URL', 'AWS_REGION'].find(
    (name) => given[name] !== undefined,
  );
  if (hasDatabase && queueSetting !== undefined) return given;

  const running = readRunning(folder);
  if (running === undefined) {
    const missing =
      !hasDatabase && queueSetting === undefined
        ? 'Nothing is configured'
        : `${hasDatabase ? 'AWS_ENDPOINT_URL_SQS' : 'DATABASE_URL'} is not set`;
    throw new Exit(
      exits.failed,
      `${missing} and no embedded Stagecoach runs here: npm start, or set DATABASE_URL and AWS_ENDPOINT_URL_SQS.`,
    );
  }
  // Half of one installation and half of another would replay messages into the wrong one.
  if (hasDatabase && differs(running, given, 'DATABASE_URL')) throw mixed('DATABASE_URL', 'AWS_ENDPOINT_URL_SQS');
  if (queueSetting !== undefined && differs(running, given, 'AWS_ENDPOINT_URL_SQS'))
    throw mixed(queueSetting, 'DATABASE_URL');
  return { ...running, ...given };
}

function differs(running: Environment, given: Environment, name: string): boolean {
  return running[name] !== undefined && running[name] !== given[name];
}

function mixed(set: string, missing: string): Exit {
  return new Exit(
    exits.failed,
    `${set} is set and names another part than the Stagecoach that runs here uses. Unset it to work with that one, or set ${missing} as well to work with another.`,
  );
}

function readRunning(folder: string): Readonly<Record<string, string>> | undefined {
  try {
    const { pid, environment } = Running.parse(JSON.parse(readFileSync(join(folder, 'running.json'), 'utf8')));
    return isAlive(pid) ? environment : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Exit(
      exits.failed,
      `${join(folder, 'running.json')} cannot be read. Restart npm start; it writes the file anew.`,
      {
        cause: error,
      },
    );
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It lives, and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
