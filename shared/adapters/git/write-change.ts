import { setTimeout as pause } from 'node:timers/promises';
import type { Plan, Written } from '../../ports/gitops-repositories.ts';
import { Conflict, Refused } from '../../ports/trouble.ts';
import { type Edit, findEdits } from './find-edits.ts';
import type { Clone } from './open-clone.ts';
import type { GitTree } from './read-tree.ts';

interface Attempt {
  /** Where the branch is thought to be. Undefined: nobody knows. */
  readonly lastHead: string | undefined;
  readonly plan: Plan;
  readonly seconds: number;
  /** How long it is tried while others push as well. */
  readonly patienceMs: number;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** About half as long as a push takes; longer each time, and never the same for two. */
const waitMs = 50;
/** Whoever waits longer only gives way for longer. */
const longestWaitMs = 250;

/**
 * Brings what a plan wants into a branch, on the commit that it is thought to be at: a push says whether it is. That there
 * is nothing to do, or that it cannot be done, is only believed of a commit that was fetched for it.
 */
export async function writeChange(
  clone: Clone,
  { lastHead, plan, seconds, patienceMs, random, signal }: Attempt,
): Promise<{ readonly written: Written; readonly isFetched: boolean }> {
  const patience = AbortSignal.timeout(patienceMs);
  let isFetched = lastHead === undefined;
  let head = isFetched ? await clone.fetch() : lastHead;
  for (let tries = 1; ; tries += 1) {
    const tree = await clone.read(head);
    const { edits, message, refusal } = await ask(plan, tree);
    if (edits.length === 0) {
      if (!isFetched) head = await clone.fetch();
      if (isFetched || head === tree.head) {
        if (refusal !== undefined) throw refusal;
        return { written: { kind: 'unchanged', tree }, isFetched: true };
      }
    } else {
      const commit = await clone.commit(head, edits, message, seconds);
      if (await clone.push(commit, head)) return { written: { kind: 'pushed', commit, parent: head }, isFetched };
      if (patience.aborted) throw new Conflict(`Others pushed first, ${tries} times in a row`);
      // Whoever was overtaken once need not wait.
      const wait = Math.min(waitMs * (tries - 1), longestWaitMs);
      await pause(wait * random(), undefined, { signal }).catch(() => {});
      signal.throwIfAborted();
      head = await clone.fetch();
    }
    isFetched = true;
  }
}

interface Answer {
  readonly edits: readonly Edit[];
  readonly message: string;
  readonly refusal?: Refused;
}

async function ask(plan: Plan, tree: GitTree): Promise<Answer> {
  try {
    const { files = new Map(), message = '' } = (await plan(tree)) ?? {};
    return { edits: findEdits(tree, files), message };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { edits: [], message: '', refusal: error };
  }
}
