/**
 * report-errand: counts the errands that were run. A stand-in of the test tree.
 *
 *   wakes on   environment.changed.v1
 *   observes   nothing but its subject
 *   decides    to count
 *   commits    the count
 *   if down    errands are not counted
 */
import { EnvironmentChanged } from '../../../shared/contracts/knocks.ts';
import { settled } from '../../../shared/domain/core/step.ts';
import { defineFunction } from '../../../shared/runtime/define-function.ts';
import { theErrandStore } from './errand-store.ts';

export const reportErrand = defineFunction({
  name: 'report-errand',
  consumes: [EnvironmentChanged],
  emits: [],
  // Looked up at each use: in one test process, worlds come and go.
  services: () => theErrandStore,
  observe: async (subject) => subject,
  decide: () => ({ effects: [], conditions: [], knocks: [], next: settled }),
  rows: (subject, _step, store) => store().reported(subject),
});
