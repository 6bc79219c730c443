/** node scripts/real/build.ts: builds the real parts into a cache outside the clone. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { buildParts } from '../../infra/real/build-parts.ts';
import { type PartName, partCatalog, partNames } from '../../infra/real/part-catalog.ts';

const help = `Builds the real parts that tests and \`npm start -- --real\` run on. Needs Go; the first build of all takes about
a quarter of an hour on two cores and 8 GB of disk, a second one finds everything done.

Usage: node scripts/real/build.ts [part…]

Parts (all unless named):
${partNames.map((name) => `  ${name.padEnd(24)} ${partCatalog[name].version}`).join('\n')}

Examples:
  node scripts/real/build.ts                        everything
  node scripts/real/build.ts etcd kube-apiserver    a control plane without controllers
  export PATH="$(dirname "$(node scripts/real/build.ts kubectl)"):$PATH"

The path of each program is printed to standard output, progress to standard error.

Environment:
  STAGECOACH_CACHE    where built parts are kept; otherwise below XDG_CACHE_HOME, otherwise below ~/.cache

Exit codes: 0 all are there, 1 a build failed, 2 wrong usage, 3 Go is missing or too old.`;

const exits = { built: 0, failed: 1, wrongUsage: 2, goMissing: 3 } as const;

/** Where the real parts are kept: outside the clone, so that a fresh clone finds them again. */
export function partsCache(): string {
  const { STAGECOACH_CACHE: own, XDG_CACHE_HOME: shared } = process.env;
  return own ?? join(shared ?? join(homedir(), '.cache'), 'stagecoach');
}

async function main(args: readonly string[]): Promise<number> {
  let names: readonly PartName[];
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' } },
    });
    if (values.help) {
      console.log(help);
      return exits.built;
    }
    names = positionals.length === 0 ? partNames : positionals.map(readName);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${help}`);
    return exits.wrongUsage;
  }
  const built = await buildParts(names, { cache: partsCache(), report: console.error, environment: process.env });
  if ('missing' in built) {
    console.error(built.missing);
    return exits.goMissing;
  }
  for (const name of names) console.log(built.parts[name]);
  return exits.built;
}

function readName(text: string): PartName {
  const name = partNames.find((known) => known === text);
  if (name === undefined) throw new Error(`There is no part ${text}; the parts are ${partNames.join(', ')}.`);
  return name;
}

if (import.meta.main) {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    console.error(`The build failed: ${error instanceof Error ? error.message : error}`);
    process.exitCode = exits.failed;
  }
}
