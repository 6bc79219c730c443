/** One line that a person types into a shell, with `kubectl` on the path and the folder `manifests` around it. */
export interface Step {
  readonly line: string;
  /** The line is typed again and again until its answer matches: what controllers do takes its time. */
  readonly until?: RegExp;
  /** A watch, in a second window: it goes on beside the lines that follow until it has printed this. */
  readonly watchesUntil?: RegExp;
  readonly compared?: Comparison;
}

/**
 * How the answers of the two servers are held against each other.
 *
 *   whole      line by line
 *   any order  line by line, whatever their order: the server gives them in the order of a map or of random names
 *   part       every line of the embedded server stands in the real server's answer, too: it serves fewer kinds
 *   fields     the fields that `explain` lists: the embedded server has no descriptions of built-in kinds
 */
export type Comparison = 'whole' | 'any order' | 'part' | 'fields';

/** Lines that belong together, in a namespace of their own. */
export interface Chapter {
  readonly title: string;
  readonly namespace: string;
  readonly steps: readonly Step[];
}

export function type(line: string, more: Omit<Step, 'line'> = {}): Step {
  return { line, ...more };
}
