import { type Command, InvalidArgumentError, Option } from 'commander';
import { exits } from './exit.ts';
import { type CommonOptions, perform, type Verb } from './perform.ts';

/** Every option of every verb; what a verb does not have is not there. */
export interface Options extends CommonOptions {
  readonly limit: number;
  readonly all?: boolean;
  readonly function?: string;
  readonly reason?: string;
  readonly why?: string;
  readonly dryRun?: boolean;
  readonly since?: string;
  readonly until?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly transport?: string;
  readonly now?: boolean;
  readonly template?: string;
  readonly wait?: true | number;
  readonly timeout?: number;
  readonly snapshot?: string;
  readonly to?: string;
  readonly ttl?: string;
  readonly name?: string;
  readonly env?: readonly string[];
  readonly class?: string;
  readonly owner?: string;
  readonly orphaned?: boolean;
}

export const exitCodes = `
Exit codes:
  ${exits.ok}  done, or found
  ${exits.failed}  something failed, in part or as a whole; a decision that could not be made counts
  ${exits.wrongUsage}  wrong usage, or nobody there to say yes
  ${exits.notFound}  not found, nothing matched
  ${exits.promotionFailed}  promote --wait: the promotion, or the one that should follow it, did not end with success
  ${exits.timeIsUp}  promote --wait: the promotion was still under way when time was up`;

export function examples(...lines: readonly string[]): string {
  return `\n\nExamples:\n${lines.map((line) => `  npm run ops -- ${line}`).join('\n')}`;
}

/** A verb with its help: what it does, examples, exit codes. */
export function verb(
  parent: Command,
  usage: string,
  description: string,
  shown: readonly string[],
  options: { readonly isDefault?: boolean } = {},
): Command {
  return parent
    .command(usage, options)
    .summary(description.split(/\.\s/)[0] ?? description)
    .description(description)
    .addHelpText('after', `${exitCodes}${examples(...shown)}`);
}

/** The options of a verb that writes. */
export function writing(command: Command): Command {
  return command
    .option('--why <text>', 'why you do it, for the ledger')
    .option('--as <name>', 'who does it, for the ledger (default: your user name)')
    .option('--yes', 'do not ask');
}

export function limitOption(what: string, most: number): Option {
  return new Option('--limit <number>', what).default(most).argParser((text) => {
    const number = Number(text);
    if (!Number.isInteger(number) || number < 1 || number > 100_000)
      throw new InvalidArgumentError('It must be a whole number from 1 to 100000.');
    return number;
  });
}

/** Loads a verb, runs it with the options it was given, and leaves its exit code with the process. */
export async function act<Value>(command: Command, load: (options: Options) => Promise<Verb<Value>>): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  process.exitCode = await perform(options, () => load(options));
}
