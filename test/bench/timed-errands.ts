import { Subject } from '../../shared/contracts/envelope.ts';
import type { StagecoachFunction } from '../../shared/runtime/define-function.ts';
import { reportErrand as reported } from '../support/errands/report-errand.ts';
import { runErrand as ran } from '../support/errands/run-errand.ts';

/** The same function, telling the parent process when it starts and when it is done with a subject somebody waits for. */
function timed(real: StagecoachFunction): StagecoachFunction {
  return {
    ...real,
    async handle(event, receipt, machine) {
      const { namespace, name } = Subject.parse((event as { data: unknown }).data);
      const subject = `${namespace}/${name}`;
      const isTold = !namespace.startsWith('untold');
      if (isTold) process.send?.({ word: 'started', subject });
      const outcome = await real.handle(event, receipt, machine);
      if (isTold) process.send?.({ word: 'done', subject });
      return outcome;
    },
  };
}

export const runErrand = timed(ran);
export const reportErrand = reported;
