import { createInterface } from 'node:readline/promises';
import { cleanse, printable } from './cleanse.ts';
import type { Context } from './context.ts';
import { Exit, exits } from './exit.ts';

/**
 * Says what will be done and asks. On standard error, because standard output is for the result. Where there is nobody
 * to ask, only `--yes` is a yes.
 */
export function askOperator({ yes, quiet }: { readonly yes: boolean; readonly quiet: boolean }): Context['approve'] {
  return async (plan) => {
    if (!quiet || !yes) process.stderr.write(`${printable(cleanse(plan))}\n`);
    if (yes) return;
    if (!process.stdin.isTTY || !process.stderr.isTTY) {
      throw new Exit(
        exits.wrongUsage,
        'Nothing was done: there is no terminal to ask at. Add --yes to go on without being asked.',
      );
    }
    if (!/^y(?:es)?$/i.test((await answer('Go on? [y/N] ')).trim())) throw new Exit(exits.failed, 'Nothing was done.');
  };
}

/** Ctrl-C and Ctrl-D are a no. */
async function answer(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => {
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => resolve(''));
  });
  try {
    return await Promise.race([lines.question(question).catch(() => ''), closed]);
  } finally {
    lines.close();
  }
}
