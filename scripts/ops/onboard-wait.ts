import { environments } from '../../shared/contracts/kubernetes/kinds.ts';
import { isTrouble, Refused } from '../../shared/ports/trouble.ts';
import type { Context } from './context.ts';
import { readyOf } from './environments-ready.ts';
import { type ExitCode, exits } from './exit.ts';

export interface FollowedEnvironment {
  readonly name: string;
  readonly isReady: boolean;
  /** What it waits for, or what is wrong; empty where it is ready. */
  readonly says: string;
}

/** How long somebody follows, and how. */
export interface Patience {
  readonly seconds: number;
  /** Told when something changes, a line at a time. */
  readonly report: (line: string) => void;
  readonly pause: () => Promise<void>;
}

/** Looks until every Environment has its target, or time is up: then the exit code says so, and nothing is undone. */
export async function followOnboarding(
  context: Context,
  namespace: string,
  names: readonly string[],
  { seconds, report, pause }: Patience,
): Promise<{ readonly code: ExitCode; readonly environments: readonly FollowedEnvironment[] }> {
  const until = context.now() + seconds * 1_000;
  const told = new Map<string, string>();
  for (;;) {
    const followed = await Promise.all(names.map((name) => look(context, namespace, name)));
    for (const { name, isReady, says } of followed) {
      const line = isReady ? 'is ready' : `waits: ${says}`;
      if (told.get(name) !== line) report(`${namespace}/${name} ${line}`);
      told.set(name, line);
    }
    if (followed.every(({ isReady }) => isReady)) return { code: exits.ok, environments: followed };
    if (context.now() >= until) return { code: exits.failed, environments: followed };
    await pause();
  }
}

async function look(context: Context, namespace: string, name: string): Promise<FollowedEnvironment> {
  try {
    const found = await context.world().clusters.local.read(environments, { namespace, name });
    if (found === undefined) return { name, isReady: false, says: 'it is gone' };
    const { status, reason, message } = readyOf(found);
    if (status === 'True') return { name, isReady: true, says: '' };
    return { name, isReady: false, says: reason === '' ? 'nobody has looked at it yet' : `${reason}: ${message}` };
  } catch (error) {
    // An API server that is away for a moment is no reason to stop looking; one that refuses us stays so.
    if (!isTrouble(error) || error instanceof Refused) throw error;
    return { name, isReady: false, says: error.message };
  }
}
