import { fileURLToPath } from 'node:url';
import { isTrouble, Refused } from '../../shared/ports/trouble.ts';
import { askOperator } from './ask-operator.ts';
import { cleanse, jsonText, printable } from './cleanse.ts';
import type { Context, Result } from './context.ts';
import { Exit, type ExitCode, exits } from './exit.ts';
import { findSettings } from './find-settings.ts';
import { openPaint, type Paint } from './paint.ts';

const defaultFolder = fileURLToPath(new URL('../../.stagecoach', import.meta.url));

/** The options that every verb has. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly stagecoachFolder?: string;
  readonly yes?: boolean;
  readonly as?: string;
}

export interface Verb<Value> {
  readonly run: (context: Context) => Promise<Result<Value>>;
  readonly render: (value: Value, paint: Paint) => string;
}

/** Runs a verb and prints what it found: for people, or one JSON value and nothing else. */
export async function perform<Value>(options: CommonOptions, load: () => Promise<Verb<Value>>): Promise<ExitCode> {
  const json = options.json ?? false;
  try {
    const { run, render } = await load();
    const settings = findSettings(options.stagecoachFolder ?? defaultFolder, process.env);
    // The SDK looks for its credentials there by itself, and so do functions for their own settings.
    Object.assign(process.env, settings);
    const approve = askOperator({ yes: options.yes ?? false, quiet: json });
    // Loaded late: whoever only asks for help does not wait for the SDKs.
    const { openContext } = await import('./open-context.ts');
    const { context, close } = openContext(settings, { who: options.as, approve });
    try {
      const { code, value } = await run(context);
      const clean = cleanse(value);
      print(json ? jsonText(clean) : render(printable(clean), openPaint(process.stdout, process.env['NO_COLOR'])));
      return code;
    } finally {
      await close();
    }
  } catch (error) {
    const sentence = cleanse(inOneSentence(error));
    if (json) print(jsonText({ error: sentence }));
    else process.stderr.write(`${printable(sentence)}\n`);
    return error instanceof Exit ? error.code : exits.failed;
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function inOneSentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!isTrouble(error)) return error.message;
  // The same request never works: nothing is away.
  if (error instanceof Refused) return error.forUser;
  const cause = error.cause instanceof Error && error.cause.message !== '' ? `: ${error.cause.message}` : '';
  const settings =
    'dependency' in error && error.dependency === 'cluster'
      ? 'is KUBECONFIG'
      : 'are DATABASE_URL and AWS_ENDPOINT_URL_SQS';
  return `${error.message}${error.message.includes(cause) ? '' : cause}. Is npm start still running, and ${settings} right?`;
}
