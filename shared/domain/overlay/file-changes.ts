import type { FileContent } from './files.ts';
import type { Changes } from './overlay.ts';

/** What makes the files that stand there into those that are wanted. What nobody wants any more goes. */
export function fileChanges(standing: ReadonlyMap<string, FileContent>, wanted: ReadonlyMap<string, string>): Changes {
  const gone = [...standing.keys()].filter((path) => !wanted.has(path));
  const written = [...wanted].filter(([path, text]) => standing.get(path)?.text !== text);
  return new Map([...gone.map((path) => [path, undefined] as const), ...written]);
}
