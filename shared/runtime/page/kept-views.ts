import type { Clock } from '../../ports/clock.ts';
import { type Document, makeDocument } from './document.ts';

/** What a page shows: one of these for each, and one path of data for each. */
export interface View<Sources> {
  /** The first word of its paths: `/console/graph/team-a`, `/console/data/graph/team-a`. */
  readonly name: string;
  /** `names` is the rest of the path. Undefined: there is nothing of that name. */
  read(names: readonly string[], sources: Sources): Promise<object | undefined>;
}

interface Kept {
  readonly version: string;
  readonly at: number;
  readonly document: Promise<Document | undefined>;
}

/** So many pages that people look at, one after the other. */
const mostKept = 64;
/** What is not in the rows, the Environments, does not count into the version: this is how old it may be. */
const longestMs = 5_000;

/** What views read, kept for everybody who asks for the same until the version is another one. */
export function keepViews<Sources>(sources: Sources, clock: Clock) {
  const kept = new Map<string, Kept>();

  return async (view: View<Sources>, names: readonly string[], version: string): Promise<Document | undefined> => {
    const key = JSON.stringify([view.name, ...names]);
    const before = kept.get(key);
    if (before !== undefined && before.version === version && clock.elapsed() - before.at < longestMs)
      return before.document;
    const document = read(view, names);
    const mine: Kept = { version, at: clock.elapsed(), document };
    kept.delete(key);
    kept.set(key, mine);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    // Trouble is not kept.
    document.catch(() => kept.get(key) === mine && kept.delete(key));
    return document;
  };

  async function read(view: View<Sources>, names: readonly string[]): Promise<Document | undefined> {
    const shown = await view.read(names, sources);
    return shown && makeDocument('application/json', Buffer.from(JSON.stringify(shown)));
  }
}
