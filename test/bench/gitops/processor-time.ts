import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Linux counts in hundredths of a second for everybody who asks. */
const ticksPerSecond = 100;

/** What a process has used of the processors since it began, in seconds. */
export function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is a name that may have anything in it; the others begin behind its bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** The process of a program with this argument; who only started it has another program in front. */
export function findProcess(program: string, argument: string): number {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const [file = '', ...given] = commandLine(pid).split('\0');
    if (basename(file) === program && given.includes(argument)) return Number(pid);
  }
  throw new Error(`no ${program} runs with ${argument}`);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It ended while we looked.
    return '';
  }
}
