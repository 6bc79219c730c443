/**
 * run-errand: runs the errand of a claim, once for each of its versions. A stand-in of the test tree.
 *
 *   wakes on   claim.changed.v1
 *   observes   the claim, and what was run for it
 *   decides    test/support/errands/decide-errand.ts
 *   commits    the run, and environment.changed.v1
 *   if down    errands stay undone
 */
import { setTimeout } from 'node:timers/promises';
import { ClaimChanged, EnvironmentChanged } from '../../../shared/contracts/knocks.ts';
import { defineFunction } from '../../../shared/runtime/define-function.ts';
import { decideErrand } from './decide-errand.ts';
import { theErrandStore } from './errand-store.ts';

export const runErrand = defineFunction({
  name: 'run-errand',
  consumes: [ClaimChanged],
  emits: [EnvironmentChanged],
  // Looked up at each use: in one test process, worlds come and go.
  services: () => theErrandStore,
  async observe(subject, store, signal) {
    // Some errands are watched for company, and some take longer than a message is hidden for.
    if (subject.name.startsWith('alone-')) await store().enter(subject);
    const [kind = ''] = subject.name.split('-');
    const ms = { alone: 30, slow: 4_000 }[kind];
    if (ms !== undefined) await setTimeout(ms, undefined, { signal });
    return store().observe(subject, signal);
  },
  decide: decideErrand,
  rows: ({ subject }, step, store) => [
    ...step.effects.flatMap(({ version }) => store().ran(subject, version)),
    ...(subject.name.startsWith('alone-') ? store().left(subject) : []),
  ],
  version: ({ version }) => version,
});
