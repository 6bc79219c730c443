import type { Command } from 'commander';
import { act, limitOption, verb } from './wiring.ts';

/** The verbs about snapshots and the repositories that they are written to: what they are called, and what they take. */
export function addReleaseVerbs(program: Command): void {
  const snapshots = program.command('snapshots').description('Snapshots, where they run, and the commits made of them');

  verb(
    snapshots,
    'list <namespace[/application]>',
    'The Snapshots of a namespace, or of one application: how many commits were made of each, and where it runs. "snapshots" alone does the same. Changes nothing.',
    ['snapshots team-a', 'snapshots team-a/shop --orphaned', 'snapshots team-a --json'],
    { isDefault: true },
  )
    .option('--orphaned', 'only those that no commit was ever made of')
    .addOption(limitOption('snapshots to show; --json has all', 100))
    .action((of: string, _options: unknown, command: Command) =>
      act(command, async ({ orphaned, limit }) => {
        const { runSnapshotsList, renderSnapshotsList } = await import('./snapshots-list.ts');
        return {
          run: (context) => runSnapshotsList(context, { of, orphaned }),
          render: (value, paint) => renderSnapshotsList(value, limit, paint),
        };
      }),
    );

  verb(
    snapshots,
    'show <snapshot>',
    'One snapshot: its images, where it runs, and every commit that was made of it, with the generation and the promotion of the Binding. Changes nothing.\nThe snapshot is namespace/name. One that is gone from the cluster is shown as far as the ledger knows it.',
    ['snapshots show team-a/shop-4f1c02ab97', 'snapshots show team-a/shop-4f1c02ab97 --json'],
  )
    .addOption(limitOption('commits to show, newest first; --json has all', 100))
    .action((snapshot: string, _options: unknown, command: Command) =>
      act(command, async ({ limit }) => {
        const { runSnapshotsShow, renderSnapshotsShow } = await import('./snapshots-show.ts');
        return {
          run: (context) => runSnapshotsShow(context, { snapshot }),
          render: (value, paint) => renderSnapshotsShow(value, limit, paint),
        };
      }),
    );

  verb(
    snapshots,
    'of <commit>',
    'The snapshots that a commit was made of, and for which environments. Changes nothing.\nThe first digits of the commit are enough, seven at least, where no other begins with them.',
    ['snapshots of 9fceb02', 'snapshots of 9fceb02d0ae598e95dc970b74767f19372d61af8 --json'],
  )
    .addOption(limitOption('snapshots to show; --json has all', 100))
    .action((commit: string, _options: unknown, command: Command) =>
      act(command, async ({ limit }) => {
        const { runSnapshotsOf, renderSnapshotsOf } = await import('./snapshots-of.ts');
        return {
          run: (context) => runSnapshotsOf(context, { commit }),
          render: (value, paint) => renderSnapshotsOf(value, limit, paint),
        };
      }),
    );

  verb(
    program,
    'repositories [namespace]',
    'Every repository that is written to: who made it, how many Bindings are kept in it and wait for it, why it cannot be written, and its last commit. Changes nothing.',
    ['repositories', 'repositories team-a', 'repositories --json'],
  )
    .addOption(limitOption('repositories to show; --json has all', 100))
    .action((namespace: string | undefined, _options: unknown, command: Command) =>
      act(command, async ({ limit }) => {
        const { runRepositories, renderRepositories } = await import('./repositories.ts');
        return {
          run: (context) => runRepositories(context, { namespace }),
          render: (value, paint) => renderRepositories(value, limit, paint),
        };
      }),
    );
}
