/**
 * collect-garbage: drops what is older than its retention.
 *
 *   wakes on   a schedule, every hour
 *   observes   the partitions of the step log and the ledger
 *   decides    nothing: the retention is a setting
 *   commits    partitions made for the coming days, and old ones dropped
 *   if down    old rows stay longer than they should; the disk fills slowly
 */
import { defineSchedule } from '../../shared/runtime/define-schedule.ts';

export const collectGarbage = defineSchedule({
  name: 'collect-garbage',
  emits: [],

  async run({ upkeep, retention }) {
    const { partitions, rows } = await upkeep.sweep(retention);
    return { count: partitions.length + rows, did: `dropped ${partitions.length} days and ${rows} rows` };
  },
});
