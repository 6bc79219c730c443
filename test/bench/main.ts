/** npm run bench: every measure of the house in one form. */
import { parseArgs } from 'node:util';
import { apiWrites } from './api-writes.ts';
import { bind1000 } from './claims/bind-1000.ts';
import { bindGrowth } from './claims/bind-growth.ts';
import { createToWatch } from './create-to-watch.ts';
import { follow10k } from './follow-10k.ts';
import { burst500 } from './gitops/burst-500.ts';
import { crDeleted } from './gitops/cr-deleted.ts';
import { crToApplication } from './gitops/cr-to-application.ts';
import { drift10k } from './gitops/drift-10k.ts';
import { idle800 } from './gitops/idle-800.ts';
import { statusUp } from './gitops/status-up.ts';
import { hostMemory } from './host-memory.ts';
import { eventToFunction, fullStep } from './latency.ts';
import type { Measure, Measured } from './measure.ts';
import { promote1000 } from './promotions/promote-1000.ts';
import { promotionStep } from './promotions/promotion-step.ts';
import { snapshotToBinding } from './promotions/snapshot-to-binding.ts';
import { quietTenant } from './quiet-tenant.ts';
import { bindingToCommit } from './releases/binding-to-commit.ts';
import { commitsUnderLoad } from './releases/commits-under-load.ts';
import { overlayRender } from './releases/overlay-render.ts';
import { stepsPerSecond } from './steps-per-second.ts';

const measures: readonly Measure[] = [
  eventToFunction,
  fullStep,
  stepsPerSecond,
  quietTenant,
  hostMemory,
  createToWatch,
  apiWrites,
  follow10k,
  crToApplication,
  burst500,
  statusUp,
  crDeleted,
  idle800,
  drift10k,
  bind1000,
  bindGrowth,
  overlayRender,
  bindingToCommit,
  commitsUnderLoad,
  snapshotToBinding,
  promotionStep,
  promote1000,
];

const usage = `Measures Stagecoach on this machine; ours and the floor come from the same run.

  npm run bench                          all of them, as a table
  npm run bench -- full-step             one, by name
  npm run bench -- --list                what there is
  npm run bench -- --json                one JSON object a line
  npm run bench -- --steps               also where the time went, from the step log

Exit code 0: every target met; 1: one was missed; 2: wrong usage.`;

const { values, positionals } = readOptions();
const unknown = positionals.filter((name) => !measures.some((measure) => measure.name === name));
if (values.help) {
  console.log(usage);
} else if (unknown.length > 0) {
  console.error(
    `There is no measure called ${unknown.join(', ')}. There are: ${measures.map(({ name }) => name).join(', ')}.`,
  );
  process.exitCode = 2;
} else if (values.list) {
  for (const { name, asks } of measures)
    console.log(values.json ? JSON.stringify({ name, asks }) : `${name.padEnd(20)} ${asks}`);
} else {
  await runAll(positionals.length === 0 ? measures : measures.filter(({ name }) => positionals.includes(name)));
}

async function runAll(chosen: readonly Measure[]): Promise<void> {
  const columns = ['measure', 'unit', 'ours', 'p99', 'floor', 'ratio', 'target', ''];
  if (!values.json) console.log(row(columns));
  for (const measure of chosen) {
    const measured = await measure.run(
      (progress) => process.stderr.isTTY && process.stderr.write(`\r\u001b[K${measure.name}: ${progress}`),
    );
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
    console.log(values.json ? JSON.stringify(measured) : row(cells(measured)));
    if (!values.json && measured.note !== undefined) console.log(`${' '.repeat(20)} ${measured.note}`);
    if (!values.json && values.steps) for (const line of measured.steps ?? []) console.log(`${' '.repeat(20)} ${line}`);
    if (!measured.ok) process.exitCode = 1;
  }
}

function cells({ name, unit, ours, p99, floor, ratio, target, ok }: Measured): string[] {
  return [
    name,
    unit,
    String(ours),
    String(p99 ?? '–'),
    String(floor ?? '–'),
    String(ratio ?? '–'),
    target,
    ok ? 'met' : 'MISSED',
  ];
}

function row([
  name = '',
  unit = '',
  ours = '',
  p99 = '',
  floor = '',
  ratio = '',
  target = '',
  met = '',
]: readonly string[]): string {
  return `${name.padEnd(20)} ${unit.padEnd(8)} ${ours.padStart(8)} ${p99.padStart(8)} ${floor.padStart(8)} ${ratio.padStart(6)}   ${target.padEnd(20)} ${met}`;
}

function readOptions() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        list: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        steps: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}
