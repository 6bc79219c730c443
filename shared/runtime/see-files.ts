import { parseAllDocuments } from 'yaml';
import type { FileContent, FileKind, Files } from '../domain/overlay/files.ts';
import { readWritten } from '../domain/overlay/read-written.ts';
import type { Tree } from '../ports/gitops-repositories.ts';

/** The files of a commit as rules see them. Rules do not wait: what they need is read between two of their answers. */
export interface SeenFiles extends Files {
  read(paths: readonly string[]): Promise<void>;
}

export function seeFiles(tree: Tree): SeenFiles {
  const kinds = new Map<string, FileKind>([['', 'directory']]);
  const names = new Map<string, string[]>([['', []]]);
  for (const { path, kind } of tree.entries) place(path, kind);
  const contents = new Map<string, FileContent | 'too-large' | 'binary'>();

  function place(path: string, kind: FileKind): void {
    if (kinds.has(path)) return;
    kinds.set(path, kind);
    const slash = path.lastIndexOf('/');
    const folder = slash === -1 ? '' : path.slice(0, slash);
    place(folder, 'directory');
    const siblings = names.get(folder);
    if (siblings === undefined) names.set(folder, [path.slice(slash + 1)]);
    else siblings.push(path.slice(slash + 1));
  }

  return {
    kindOf: (path) => kinds.get(path),
    namesIn: (folder) => names.get(folder) ?? [],
    contentOf: (path) => contents.get(path) ?? 'unread',
    async read(paths) {
      const found = await tree.read(paths);
      for (const path of paths) {
        const content = found.get(path) ?? 'binary';
        contents.set(path, typeof content === 'string' ? content : contentOf(content.text));
      }
    },
  };
}

/** Most files are only compared with what should stand there: reading them as YAML, which takes its time, is left to whoever asks. */
function contentOf(text: string): FileContent {
  let read: { readonly documents: FileContent['documents'] } | undefined;
  return {
    text,
    get documents() {
      read ??= { documents: documentsOf(text) };
      return read.documents;
    },
  };
}

/** Undefined: it is no YAML. The parser gives up where a text would unfold to more than it is worth. */
function documentsOf(text: string): readonly unknown[] | undefined {
  const ours = readWritten(text);
  if (ours !== undefined) return [ours];
  try {
    const documents = parseAllDocuments(text, { logLevel: 'silent' });
    if (!Array.isArray(documents)) return [];
    return documents.some(({ errors }) => errors.length > 0)
      ? undefined
      : documents.map((one) => one.toJS() as unknown);
  } catch {
    return undefined;
  }
}
