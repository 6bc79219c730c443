import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { holdLock } from '../../shared/adapters/git/hold-lock.ts';
import { type Part, type PartName, partCatalog } from './part-catalog.ts';
import { missingGo, runGo } from './run-go.ts';

export interface BuildOptions {
  /** Outside the clone, so that the next clone finds it again. */
  readonly cache: string;
  /** Told what happens, a line at a time, every few seconds: minutes of silence look like a hang. */
  readonly report: (line: string) => void;
  /** What Go runs with: its settings and where it downloads from are the user's. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The path of each program. `missing` is a sentence for the person who wonders why tests are skipped. */
export type BuiltParts<Name extends PartName> =
  | { readonly parts: Readonly<Record<Name, string>> }
  | { readonly missing: string };

const modules = fileURLToPath(new URL('modules', import.meta.url));
const reportEveryMs = 5_000;
const askForLockEveryMs = 500;
const unfinished = '.unfinished-';

/** Builds what is not in the cache yet. Throws when Go is there and a build fails; that is no reason to skip. */
export async function buildParts<const Name extends PartName>(
  names: readonly Name[],
  options: BuildOptions,
): Promise<BuiltParts<Name>> {
  const parts = Object.fromEntries(names.map((name) => [name, programOf(name, options.cache)]));
  const wanted = names.filter((name) => !existsSync(programOf(name, options.cache)));
  if (wanted.length > 0) {
    const missing = await buildMissing(wanted, options);
    if (missing !== undefined) return { missing };
  }
  return { parts: parts as Record<Name, string> };
}

async function buildMissing(names: readonly PartName[], options: BuildOptions): Promise<string | undefined> {
  const { cache, environment } = options;
  for (const name of names) {
    const missing = await missingGo({ folder: moduleOf(name), environment });
    if (missing !== undefined) return `${names.join(', ')} cannot be built. ${missing}`;
  }
  mkdirSync(join(cache, 'parts'), { recursive: true });
  const unlock = await waitForLock(options);
  try {
    for (const left of readdirSync(join(cache, 'parts')).filter((name) => name.startsWith(unfinished)))
      rmSync(join(cache, 'parts', left), { recursive: true, force: true });
    for (const name of names) if (!existsSync(programOf(name, cache))) await build(name, options);
  } finally {
    unlock();
  }
  return undefined;
}

async function waitForLock({ cache, report }: BuildOptions): Promise<() => void> {
  const file = join(cache, 'parts', 'lock.db');
  for (let asked = 0; ; asked += 1) {
    const unlock = holdLock(file);
    if (unlock !== undefined) return unlock;
    if (asked % 20 === 0) report(`Another process builds into ${cache}; waiting for it to finish`);
    await pause(askForLockEveryMs);
  }
}

async function build(name: PartName, { cache, report, environment }: BuildOptions): Promise<void> {
  const part: Part = partCatalog[name];
  const title = `${name} ${part.version}`;
  const started = performance.now();
  const seconds = () => Math.round((performance.now() - started) / 1_000);
  report(`${title}: is built once, with Go; with nothing in Go's cache about ${part.minutes} min on two cores`);
  let state = 'reading its module';
  let modulesFetched = 0;
  let compiled = 0;
  let all = 0;
  const timer = setInterval(() => report(`${title}: ${state}, ${seconds()} s`), reportEveryMs);
  function onLine(line: string): void {
    if (line.startsWith('go: downloading ')) {
      modulesFetched += 1;
      state = `${modulesFetched} modules downloaded`;
    } else if (line === part.package) {
      state = 'linking';
    } else if (!/[\s#]/.test(line)) {
      compiled += 1;
      state = `packages compiled: ${compiled} of at most ${all}`;
    }
  }
  const go = { folder: moduleOf(name), environment, onLine };
  const folder = mkdtempSync(join(cache, 'parts', unfinished));
  try {
    all = (await runGo(['list', '-deps', part.package], go)).split('\n').length;
    state = `compiling at most ${all} packages`;
    const linkFlags = ['-s', '-w', ...part.linkFlags].join(' ');
    const output = join(folder, name);
    await runGo(['build', '-v', '-buildvcs=false', '-ldflags', linkFlags, '-o', output, part.package], go);
    if (part.alsoCopies !== undefined) await copyFromModule(part.alsoCopies, folder, go);
    renameSync(folder, folderOf(name, cache));
  } finally {
    clearInterval(timer);
    rmSync(folder, { recursive: true, force: true });
  }
  report(`${title}: built in ${seconds()} s`);
}

/** File by file: what Go downloads is read-only, and would be hard to remove again. */
async function copyFromModule(
  { module, from, to }: NonNullable<Part['alsoCopies']>,
  folder: string,
  go: Parameters<typeof runGo>[1],
): Promise<void> {
  const source = join(await runGo(['list', '-m', '-f', '{{.Dir}}', module], go), from);
  mkdirSync(join(folder, to));
  for (const entry of readdirSync(source, { withFileTypes: true }))
    if (entry.isFile()) writeFileSync(join(folder, to, entry.name), readFileSync(join(source, entry.name)));
}

function programOf(name: PartName, cache: string): string {
  return join(folderOf(name, cache), name);
}

/** Named by the version for people, and by what it is made from, so that a changed module is built anew. */
function folderOf(name: PartName, cache: string): string {
  const { minutes: _, ...part }: Part = partCatalog[name];
  const hash = createHash('sha256').update(JSON.stringify([part, process.platform, process.arch]));
  const module = moduleOf(name);
  for (const file of readdirSync(module).sort()) hash.update(`\0${file}\0`).update(readFileSync(join(module, file)));
  return join(cache, 'parts', `${name}-${part.version}-${hash.digest('hex').slice(0, 12)}`);
}

function moduleOf(name: PartName): string {
  return join(modules, partCatalog[name].module);
}
