export type FileKind = 'file' | 'directory' | 'link' | 'submodule';

export interface FileContent {
  readonly text: string;
  /** All of its documents as YAML; undefined: it is none. */
  readonly documents: readonly unknown[] | undefined;
}

/** One commit of the repository. Paths go from its root, which is the empty path. */
export interface Files {
  /** Undefined: nothing is there. */
  kindOf(path: string): FileKind | undefined;
  /** What is directly below a folder. */
  namesIn(folder: string): readonly string[];
  /** `unread`: nobody has read it yet. */
  contentOf(path: string): FileContent | 'unread' | 'too-large' | 'binary';
}
