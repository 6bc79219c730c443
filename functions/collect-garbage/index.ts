/**
 * collect-garbage: drops what is older than its retention, and what nobody points to any more.
 *
 *   wakes on   a schedule, every hour
 *   observes   the partitions of the step log and the ledger; rows without a mapping, an owner or a namespace
 *   decides    what is garbage (shared/domain/upkeep/garbage.ts); the retention is a setting
 *   commits    partitions made and dropped, rows deleted, and a word to whoever has to take something away with them
 *   if down    old rows stay longer than they should; the disk fills slowly
 */
import { GitOpsDeploymentChanged } from '../../shared/contracts/knocks.ts';
import { OperationRequested } from '../../shared/contracts/requests.ts';
import { defineSchedule } from '../../shared/runtime/define-schedule.ts';
import { clearObjects } from './clear-objects.ts';
import { clearRows } from './clear-rows.ts';

export const collectGarbage = defineSchedule({
  name: 'collect-garbage',
  emits: [OperationRequested, GitOpsDeploymentChanged],

  async run(machine) {
    const { partitions, rows } = await machine.upkeep.sweep(machine.retention);
    const cleared = await clearRows(machine);
    const objects = await clearObjects(machine);
    return {
      count: partitions.length + rows + cleared + objects,
      did: `dropped ${partitions.length} days, ${rows + cleared} rows and ${objects} objects`,
    };
  },
});
