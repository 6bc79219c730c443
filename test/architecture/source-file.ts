import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

/** A file of the tree, or of a fixture: the rules read text and touch nothing. */
export interface SourceFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Not ours, or made by running something. */
const elsewhere = ['node_modules', '.git', '.stagecoach', '.serverless', 'dist', 'coverage'];

/** Reads every file that one of the patterns matches, in a stable order. */
export function readFiles(...patterns: string[]): SourceFile[] {
  return globSync(patterns, { cwd: root, exclude: (path) => path.split('/').some((part) => elsewhere.includes(part)) })
    .filter((path) => statSync(join(root, path)).isFile())
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** A node of the syntax tree, as far as the rules look at it. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly [part: string]: unknown;
}

export interface Place {
  readonly node: SyntaxNode;
  readonly parent: SyntaxNode;
  /** The part of the parent that holds the node. */
  readonly as: string;
}

const parsed = new WeakMap<SourceFile, readonly Place[]>();

/** Every node of a TypeScript file with the place it stands in. Comments are not among them. */
export function syntaxOf(file: SourceFile): readonly Place[] {
  const places = parsed.get(file) ?? parse(file);
  parsed.set(file, places);
  return places;
}

function parse({ path, text }: SourceFile): readonly Place[] {
  const { program, errors } = parseSync(path, text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path} is not TypeScript: ${error.message}`);
  return [...below(program as unknown as SyntaxNode)];
}

function* below(parent: SyntaxNode): Generator<Place> {
  for (const [as, part] of Object.entries(parent)) {
    for (const node of [part].flat()) {
      if (!isNode(node)) continue;
      yield { node, parent, as };
      yield* below(node);
    }
  }
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as Partial<SyntaxNode>).type === 'string';
}

/** How a place is named so that an editor finds it. */
export function at({ path, text }: SourceFile, { start }: SyntaxNode): string {
  return `${path}:${text.slice(0, start).split('\n').length}`;
}
