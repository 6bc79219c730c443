import type { Command } from 'commander';
import { act, limitOption, verb, writing } from './wiring.ts';

/** The verbs about Environments: what they are called, and what they take. */
export function addEnvironmentVerbs(program: Command): void {
  const environments = program.command('environments').description('Environments, and copies of them that end');

  verb(
    environments,
    'list [namespace]',
    'Every Environment: its parent, its claim, and whether it has a place to deploy to. Changes nothing.',
    ['environments list', 'environments list team-a --json'],
  )
    .addOption(limitOption('Environments to show; --json has all', 100))
    .action((namespace: string | undefined, _options: unknown, command: Command) =>
      act(command, async ({ limit }) => {
        const { runEnvironmentsList, renderEnvironmentsList } = await import('./environments-list.ts');
        return {
          run: (context) => runEnvironmentsList(context, { namespace }),
          render: (value, paint) => renderEnvironmentsList(value, limit, paint),
        };
      }),
    );

  writing(
    verb(
      environments,
      'clone <environment>',
      'Makes an ephemeral copy of an Environment, with a claim of its own that ends by itself and takes the copy along. Writes, and asks before.\nThe environment is namespace/name, or a name that only one has. No credential is copied, nothing is promoted to the copy by itself.',
      [
        'environments clone team-a/staging --ttl 4h',
        'environments clone staging --ttl 90m --name try-it --env LOG_LEVEL=debug --env FAST=yes --json',
      ],
    ),
  )
    .option('--ttl <time>', 'how long it lives, from now on: 90m, 4h, 3d')
    .option(
      '--namespace <name>',
      'where it is made, and where a name without namespace is looked for (default: where the environment is)',
    )
    .option('--name <name>', 'what it is called (default: as the environment, with a few characters behind)')
    .option(
      '--env <name=value>',
      'a variable that goes before that of the environment; may be given again',
      collect,
      [],
    )
    .option(
      '--class <name>',
      "the class of its claim (default: that of the environment's, or one that makes namespaces)",
    )
    .option('--owner <who>', 'who answers for it (default: who does it)')
    .action((environment: string, _options: unknown, command: Command) =>
      act(command, async (options) => {
        const { runEnvironmentsClone, renderEnvironmentsClone } = await import('./environments-clone.ts');
        return {
          run: (context) => runEnvironmentsClone(context, { ...options, environment }),
          render: renderEnvironmentsClone,
        };
      }),
    );
}

function collect(one: string, others: readonly string[]): readonly string[] {
  return [...others, one];
}
