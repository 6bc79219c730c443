import { setTimeout } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { timeToLiveSeconds } from '../../shared/domain/claim/time-to-live.ts';
import { cleanse, printable } from './cleanse.ts';
import { act, verb, writing } from './wiring.ts';

const lookEveryMs = 2_000;

/** The verb that gives a namespace its first Environments. */
export function addOnboardVerb(program: Command): void {
  writing(
    verb(
      program,
      'onboard <namespace>',
      'Gives a namespace its first Environments, each with a claim: development and, behind it, staging. Writes, and asks before.\nWhat has the name already is left as it is, so that it may be run again.',
      ['onboard team-a', 'onboard team-a --wait', 'onboard team-a --template ./three-stages.yaml --yes --wait 30m'],
    ),
  )
    .option('--template <file>', 'YAML with other Environments and DeploymentTargetClaims')
    .option('--wait [time]', 'follow until every Environment has its target, so long at the most', readTime, undefined)
    .action((namespace: string, _options: unknown, command: Command) =>
      act(command, async ({ template, why, wait, json = false }) => {
        const { runOnboard, renderOnboard } = await import('./onboard.ts');
        const patience = {
          seconds: typeof wait === 'number' ? wait : 600,
          // Standard output is for the result.
          report: (line: string) => void (json || process.stderr.write(`${printable(cleanse(line))}\n`)),
          pause: () => setTimeout(lookEveryMs),
        };
        return {
          run: (context) =>
            runOnboard(context, { namespace, template, why, wait: wait === undefined ? undefined : patience }),
          render: renderOnboard,
        };
      }),
    );
}

function readTime(text: string): number {
  const seconds = timeToLiveSeconds(text);
  if (seconds === undefined) throw new InvalidArgumentError('Write a length of time like 90s, 30m or 1h30m.');
  return seconds;
}
