import type { FileContent } from './files.ts';

// Nothing that a user wrote is overwritten. So every file says whose it is, in words that a person can take away.

const firstLine = '# Written by Stagecoach: what is changed here is overwritten.';

/** Begins every file that is wholly ours. */
export const fileHeader = `${firstLine}\n# Take these two lines away and the file is yours: Stagecoach then never writes it again.\n`;

/** Begins the one file that we share with the user. */
export const sharedHeader =
  '# Stagecoach keeps its own entries in this file up to date and leaves yours as they are. Comments may get lost.\n';

export function isOurs({ text }: FileContent): boolean {
  return text.startsWith(firstLine);
}

/** What HAS wrote into overlays. It never had anything of a user in it, so it is ours to replace. */
const filesOfHas = /^(?:(?:deployment|statefulset|daemonset)-patch|route|ingress)\.yaml$/;

export function mayReplace(name: string, content: FileContent): boolean {
  const { text } = content;
  const isOfHas = text.startsWith('apiVersion:') && text.includes('creationTimestamp: null');
  return isOurs(content) || (isOfHas && filesOfHas.test(name));
}

/** What an overlay was made for before, as its patch remembers it. */
export interface Remembered {
  readonly workload: string;
  /** The way from the overlay to the base. */
  readonly base: string;
}

/** Without it, entries that point to a base or workload of before would be taken for the user's, and nothing would build. */
export function memoryLine(kind: string, { workload, base }: Remembered): string {
  return `# Patches ${kind} ${workload} of ${base}\n`;
}

export function remembered(content: FileContent): Remembered | undefined {
  const found = isOurs(content)
    ? /^# Patches \S+ (?<workload>\S+) of (?<base>.+)$/m.exec(content.text)?.groups
    : undefined;
  const { workload, base } = found ?? {};
  return workload === undefined || base === undefined ? undefined : { workload, base };
}
