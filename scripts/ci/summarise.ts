/**
 * The last line of .ci/run: `node summarise.ts <folder> <run>…` adds up the vitest reports `<folder>/<run>.json`. A file
 * `<folder>/<step>.failed` says that a step failed. Exits with 1 when anything failed or no test was executed.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

interface Report {
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/** Counts one run of vitest. A report that is not there, or not whole, is a run that failed before it could write it. */
export function countReport(text: string | undefined): Count {
  const report = text === undefined ? undefined : parse(text);
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  // A file that cannot be loaded has failed, though it has no test to say so.
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  return {
    passed: tests.filter((status) => status === 'passed').length,
    failed: tests.filter((status) => status === 'failed').length + broken.length,
    skipped: tests.filter((status) => status !== 'passed' && status !== 'failed').length,
  };
}

/** Adds up a folder of reports and failures. */
function summarise(folder: string, runs: readonly string[]): { readonly line: string; readonly ok: boolean } {
  const counts = new Map(runs.map((run) => [run, countReport(read(join(folder, `${run}.json`)))]));
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.failed'))) {
    const step = file.slice(0, -'.failed'.length);
    const count = counts.get(step) ?? { passed: 0, failed: 0, skipped: 0 };
    // A run may fail though none of its tests did: an error between tests, a step that has none.
    counts.set(step, { ...count, failed: Math.max(1, count.failed) });
  }
  const sum = (part: keyof Count) => [...counts.values()].reduce((total, count) => total + count[part], 0);
  const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')];
  return { line: `${passed} passed, ${failed} failed, ${skipped} skipped`, ok: failed === 0 && passed > 0 };
}

function parse(text: string): Report | undefined {
  try {
    const report = JSON.parse(text) as Partial<Report> | null;
    return Array.isArray(report?.testResults) ? (report as Report) : undefined;
  } catch {
    return undefined;
  }
}

function read(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

if (import.meta.main) {
  const [folder = '.', ...runs] = process.argv.slice(2);
  const { line, ok } = summarise(folder, runs);
  console.log(line);
  process.exit(ok ? 0 : 1);
}
