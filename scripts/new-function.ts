/** npm run new: writes a function, its entries on the map, its rule and a red test. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { catalog } from '../shared/contracts/catalog.ts';
import { mapInReadme } from './draw-map.ts';
import { placeOnMap } from './new-function/place-on-map.ts';
import { type NewFunction, readName } from './new-function/read-name.ts';
import { type ContractSource, renderSources } from './new-function/render-sources.ts';

const usage = `Writes a new function: its door, its entries in serverless.yml, its rule, and a test that is red until the rule is written.

  npm run new -- bind-claim                                   woken by claim.changed.v1
  npm run new -- run-sync --consumes sync-run.changed.v1      woken by another message
  npm run new -- bind-claim --dry-run                         only says what it would write

A function is called verb-noun. The verbs and the messages are closed lists: ask for a wrong one to see them.`;

const root = fileURLToPath(new URL('..', import.meta.url));

try {
  main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(2);
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      consumes: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new Error(`Give one name.\n\n${usage}`);

  const made = readName(name, values.consumes);
  refuseIfTaken([`functions/${name}`]);
  const sources = renderSources(made, findContract(made));
  refuseIfTaken([...sources.keys()]);
  const files = new Map([...sources, ['serverless.yml', placeOnMap(read('serverless.yml'), made)]]);
  if (values['dry-run']) {
    console.log(`Would write:\n${list(files.keys())}`);
    return;
  }
  for (const [path, text] of files) write(path, text);
  format([...sources.keys()]);
  const { text, drawn } = mapInReadme(root);
  if (drawn !== text) write('README.md', drawn);
  console.log(`Wrote:\n${list(files.keys())}

Next:
  1. Say in functions/${name}/index.ts and in serverless.yml what it does, and what users lose while it is down.
  2. Write the first sentence of its rule into ${[...sources.keys()].at(-1)}, which is red.
  3. Let it observe: an interface in shared/ports, its adapter in shared/adapters, opened in shared/runtime/services.ts.`);
}

function refuseIfTaken(paths: readonly string[]): void {
  const taken = paths.find((path) => existsSync(join(root, path)));
  if (taken !== undefined) throw new Error(`${taken} is there already. Choose another name, or take it away first.`);
}

/** The contract of the message that wakes the function, and the file it is exported from. */
function findContract({ consumes, noun }: NewFunction): ContractSource {
  const types = catalog.map(({ type }) => type);
  if (!types.includes(consumes)) {
    throw new Error(
      `No message is called ${consumes}. Say with --consumes what wakes it, one of:\n${list(types.toSorted())}\nA new kind of message is a line in shared/contracts, for example contract('${noun}.changed.v1', Subject).`,
    );
  }
  for (const file of globSync('shared/contracts/*.ts', { cwd: root })) {
    for (const [, exported = '', type] of read(file).matchAll(/^export const (\w+) = contract\(\s*'([^']+)'/gm)) {
      if (type === consumes) return { type, exported, file };
    }
  }
  throw new Error(
    `${consumes} is in the catalog, and no file of shared/contracts exports it as \`export const … = contract('${consumes}', …)\`.`,
  );
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Long names break lines elsewhere than short ones, and are sorted elsewhere; the formatter knows where. */
function format(paths: readonly string[]): void {
  const { status, stderr } = spawnSync(join(root, 'node_modules/.bin/biome'), ['check', '--write', ...paths], {
    cwd: root,
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (status !== 0) console.error(`The new files could not be formatted: ${stderr}`);
}

function list(lines: Iterable<string>): string {
  return [...lines].map((line) => `  ${line}`).join('\n');
}
