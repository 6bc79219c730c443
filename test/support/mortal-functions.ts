import type { Machine } from '../../shared/runtime/machine.ts';
import type { Watched } from './audited-connection.ts';
import type { Mortality } from './mortality.ts';

/** Only the steps of these functions may die; what others do in between is not counted. */
export function onlyIn(mortality: Mortality, names: readonly string[]): Pick<Mortality, 'wrap' | 'watchOver'> {
  let isCounted = false;
  return {
    wrap(usual: Machine): Machine {
      const mortal = mortality.wrap(usual);
      const chosen = (): Machine => (isCounted ? mortal : usual);
      return {
        ...usual,
        journal: {
          begin(begin) {
            isCounted = names.includes(begin.message.function);
            return chosen().journal.begin(begin);
          },
          finish: (...given) => chosen().journal.finish(...given),
          forget: (...given) => chosen().journal.forget(...given),
          renew: (...given) => chosen().journal.renew(...given),
        },
        queue: {
          send: (deliveries) => chosen().queue.send(deliveries),
          bury: (letter) => chosen().queue.bury(letter),
        },
      };
    },
    watchOver(...ways: Watched[]): void {
      mortality.watchOver(...ways);
      for (const way of ways) {
        const { trouble } = way;
        way.trouble = (asked, when) => (isCounted ? trouble?.(asked, when) : undefined);
      }
    },
  };
}
