import { setTimeout } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { timeToLiveSeconds } from '../../shared/domain/claim/time-to-live.ts';
import { cleanse, printable } from './cleanse.ts';
import { Exit, exits } from './exit.ts';
import { inOneLine } from './render-releases.ts';
import { act, limitOption, verb, writing } from './wiring.ts';

const lookEveryMs = 1_000;
const usualSeconds = 1_800;

/** The verbs about promotions: what they are called, and what they take. */
export function addPromotionVerbs(program: Command): void {
  writing(
    verb(
      program,
      'promote <application>',
      'Promotes a snapshot to an environment: makes a PromotionRun. Writes, and asks before.\nThe application is namespace/name. With --wait it follows the promotion, and the automated one that comes after it, to the end.',
      [
        'promote team-a/shop --snapshot shop-4f1c02ab97 --to staging',
        'promote team-a/shop --snapshot shop-4f1c02ab97 --to staging --yes --wait --timeout 20m',
      ],
    ),
  )
    .requiredOption('--snapshot <name>', 'the Snapshot, one of the application')
    .requiredOption('--to <environment>', 'the Environment')
    .option('--name <name>', 'of the PromotionRun (default: made of the two, and told)')
    .option('--wait', 'follow it to the end: the exit code tells how it ended')
    .option(
      '--timeout <time>',
      'with --wait: how long to follow; what is under way then goes on (default: 30m)',
      readTime,
    )
    .action((application: string, _options: unknown, command: Command) =>
      act(command, async ({ snapshot = '', to = '', name, why, wait, timeout, json = false }) => {
        if (timeout !== undefined && wait === undefined)
          throw new Exit(exits.wrongUsage, '--timeout says how long --wait follows: add --wait, or leave it out.');
        const { runPromote, renderPromote } = await import('./promote.ts');
        const patience = {
          seconds: timeout ?? usualSeconds,
          // Standard output is for the result.
          report: (line: string) => void (json || process.stderr.write(`${inOneLine(printable(cleanse(line)))}\n`)),
          pause: () => setTimeout(lookEveryMs),
        };
        return {
          run: (context) =>
            runPromote(context, { application, snapshot, to, name, why, wait: wait ? patience : undefined }),
          render: renderPromote,
        };
      }),
    );

  verb(
    program,
    'status [namespace[/application]]',
    'Applications and environments: which snapshot should run there, how it is doing, and what waits and why. Changes nothing.',
    ['status', 'status team-a', 'status team-a/shop --json'],
  )
    .addOption(limitOption('rows to show; --json has all', 100))
    .action((of: string | undefined, _options: unknown, command: Command) =>
      act(command, async ({ limit }) => {
        const { runStatus, renderStatus } = await import('./status.ts');
        return {
          run: (context) => runStatus(context, { of }),
          render: (value, paint) => renderStatus(value, limit, paint),
        };
      }),
    );

  verb(
    program,
    'history <application> <environment>',
    'What arrived in an environment of an application: when, by which promotion, in which commit, and what came of it. Changes nothing.\nThe application is namespace/name.',
    ['history team-a/shop staging', 'history team-a/shop production --limit 100 --json'],
  )
    .addOption(limitOption('arrivals, newest first', 20))
    .action((application: string, environment: string, _options: unknown, command: Command) =>
      act(command, async ({ limit }) => {
        const { runHistory, renderHistory } = await import('./history.ts');
        return {
          run: (context) => runHistory(context, { application, environment, limit }),
          render: renderHistory,
        };
      }),
    );
}

function readTime(text: string): number {
  const seconds = timeToLiveSeconds(text);
  if (seconds === undefined) throw new InvalidArgumentError('Write a length of time like 90s, 30m or 1h30m.');
  return seconds;
}
