/** npm run ops: what an operator asks and does. Each verb is a file of this folder; here is only what it is called. */
import { type Command, CommanderError, program } from 'commander';
import { addClaimVerbs } from './claims-verbs.ts';
import { addEngineVerbs } from './engines-verbs.ts';
import { addEnvironmentVerbs } from './environments-verbs.ts';
import { exits } from './exit.ts';
import { addOnboardVerb } from './onboard-verb.ts';
import { addPromotionVerbs } from './promotion-verbs.ts';
import { addReleaseVerbs } from './release-verbs.ts';
import { act, examples, exitCodes, limitOption, verb, writing } from './wiring.ts';

program
  .name('npm run ops --')
  .description(
    'What happened, what waits and why; and to send again what was lost.\nSettings come from the environment, or from the npm start that runs in this folder.',
  )
  .option('--json', 'print one JSON value and nothing else (with npm run --silent)')
  .option('--stagecoach-folder <folder>', 'where npm start keeps its data (default: .stagecoach of the project)')
  .configureHelp({ showGlobalOptions: true })
  .exitOverride()
  .addHelpText(
    'after',
    `${exitCodes}${examples('status team-a', 'dead list', 'trace team-a/web', 'explain GitOpsDeployment team-a/web', 'replay --function apply-operation --since 2h --dry-run')}`,
  );

const dead = program.command('dead').description('Dead letters: messages that nobody could handle');

verb(dead, 'list [function]', 'Dead letters by function and by what they died of. Changes nothing.', [
  'dead list',
  'dead list apply-operation --json',
])
  .addOption(limitOption('letters of each function to look at', 100))
  .action((name: string | undefined, _options: unknown, command: Command) =>
    act(command, async ({ limit }) => {
      const { runDeadList, renderDeadList } = await import('./dead-list.ts');
      return { run: (context) => runDeadList(context, { function: name, limit }), render: renderDeadList };
    }),
  );

verb(
  dead,
  'show <id>',
  "One letter: its body, what it died of, and every step that was tried. Changes nothing.\nThe id is that of its event, or the queue's own.",
  ['dead show 0b54…'],
)
  .option('--function <name>', 'look only at the letters of this function')
  .addOption(limitOption('letters of each function to look through', 1_000))
  .action((id: string, _options: unknown, command: Command) =>
    act(command, async ({ function: name, limit }) => {
      const { runDeadShow, renderDeadShow } = await import('./dead-show.ts');
      return { run: (context) => runDeadShow(context, { id, function: name, limit }), render: renderDeadShow };
    }),
  );

writing(
  verb(
    dead,
    'replay [id]',
    'Sends letters to their function again and removes them. Writes, and asks before.\nThe new message has a new id and names the dead one as its cause.',
    [
      'dead replay 0b54… --why "the quota was raised"',
      'dead replay --function apply-operation --reason "Error: quota" --dry-run',
      'dead replay --all --yes',
    ],
  ),
)
  .option('--all', 'every letter of every function')
  .option('--function <name>', 'the letters of this function')
  .option('--reason <text>', 'only those that died of something with this text in it')
  .option('--dry-run', 'show what each would lead to; send and write nothing')
  .addOption(limitOption('letters of each function to look through', 1_000))
  .action((id: string | undefined, _options: unknown, command: Command) =>
    act(command, async (options) => {
      const { runDeadReplay, renderDeadReplay } = await import('./dead-replay.ts');
      return { run: (context) => runDeadReplay(context, { ...options, id }), render: renderDeadReplay };
    }),
  );

writing(
  verb(dead, 'drop [id]', 'Deletes letters for good. Writes, and asks before. It must be said why.', [
    'dead drop 0b54… --why "the claim is gone"',
    'dead drop --function apply-operation --reason "not a CloudEvent" --why "a test of the network team"',
  ]),
)
  .option('--function <name>', 'the letters of this function')
  .option('--reason <text>', 'only those that died of something with this text in it')
  .addOption(limitOption('letters of each function to look through', 1_000))
  .action((id: string | undefined, _options: unknown, command: Command) =>
    act(command, async (options) => {
      const { runDeadDrop, renderDeadDrop } = await import('./dead-drop.ts');
      return { run: (context) => runDeadDrop(context, { ...options, id }), render: renderDeadDrop };
    }),
  );

writing(
  verb(
    program,
    'replay [id]',
    'Sends a handled message to its function again, or the latest of each subject. Writes, and asks before.\nTo replay anything twice changes nothing more: a function looks at what is, and finds it done.',
    [
      'replay 0b54… --why "checking the fix"',
      'replay --function apply-operation --since 2h --dry-run',
      'replay --function apply-operation --since 2026-01-31T10:00:00Z --until 2026-01-31T11:00:00Z --yes',
    ],
  ),
)
  .option('--function <name>', 'every subject that this function handled, once')
  .option('--since <time>', 'from this moment, or so long ago: 90s, 30m, 2h, 1d12h')
  .option('--until <time>', 'to this moment, or so long ago (default: now)')
  .option('--dry-run', 'show what the function would decide; send and write nothing')
  .addOption(limitOption('subjects', 1_000))
  .action((id: string | undefined, _options: unknown, command: Command) =>
    act(command, async (options) => {
      const { runReplay, renderReplay } = await import('./replay.ts');
      return { run: (context) => runReplay(context, { ...options, id }), render: renderReplay };
    }),
  );

verb(
  program,
  'trace <subject|correlation|message>',
  'The tree of steps: what woke, what was decided and written, how long it waited; and what is pending now. Changes nothing.\nA subject is written namespace/name.',
  ['trace team-a/web', 'trace 0b54… --json'],
)
  .addOption(limitOption('stories, newest first', 5))
  .action((of: string, _options: unknown, command: Command) =>
    act(command, async ({ limit }) => {
      const { runTrace, renderTrace } = await import('./trace.ts');
      return { run: (context) => runTrace(context, { of, limit }), render: renderTrace };
    }),
  );

verb(
  program,
  'explain <kind> <name>',
  'What every function that cares about an object would do now, and what it waits for. Changes nothing.\nThe kind is a Kubernetes kind, plural or short name, or the name of a function; the name is namespace/name.',
  [
    'explain GitOpsDeployment team-a/web',
    'explain GitOpsDeploymentSyncRun team-a/friday',
    'explain PromotionRun team-a/shop-1-to-stage-3fa9c1',
    'explain reconcile-gitops-deployment team-a/web --json',
  ],
)
  .addOption(limitOption('last steps of each function', 5))
  .action((kind: string, name: string, _options: unknown, command: Command) =>
    act(command, async ({ limit }) => {
      const [{ runExplain }, { renderExplain }] = await Promise.all([
        import('./explain.ts'),
        import('./render-explain.ts'),
      ]);
      return { run: (context) => runExplain(context, { kind, name, limit }), render: renderExplain };
    }),
  );

writing(
  verb(
    program,
    'drift',
    'The last drift pass: what it looked at, what was wrong, who was told, and what is repaired since. Changes nothing, but for --now.',
    ['drift', 'drift --json', 'drift --now --why "the database was restored"'],
  ),
)
  .option('--now', 'begin a pass; writes, and asks before')
  .action((_options: unknown, command: Command) =>
    act(command, async ({ now, why }) => {
      const [{ runDrift }, { renderDrift }] = await Promise.all([import('./drift.ts'), import('./render-drift.ts')]);
      return { run: (context) => runDrift(context, { now, why }), render: renderDrift };
    }),
  );

// Whoever reads us may have read enough.
process.stdout.on('error', () => process.exit());

const credentials = program
  .command('credentials')
  .description('Credentials of clusters and repositories, sealed at rest');

writing(
  verb(
    credentials,
    'rotate',
    'Seals every credential anew with the last key of CREDENTIAL_KEYS_FILE. Writes, and asks before. May be stopped and run again; when it says that nothing is left, the older keys may go.',
    ['credentials rotate --why "yearly rotation"'],
  ),
).action((_options: unknown, command: Command) =>
  act(command, async (options) => {
    const { runCredentialsRotate, renderCredentialsRotate } = await import('./credentials-rotate.ts');
    return { run: (context) => runCredentialsRotate(context, options), render: renderCredentialsRotate };
  }),
);

addEngineVerbs(program);
addClaimVerbs(program);
addOnboardVerb(program);
addEnvironmentVerbs(program);
addReleaseVerbs(program);
addPromotionVerbs(program);

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.code === 'commander.helpDisplayed' ? exits.ok : exits.wrongUsage;
}
// Functions that were asked what they would do keep their connections; nothing is left to wait for.
process.exit();
