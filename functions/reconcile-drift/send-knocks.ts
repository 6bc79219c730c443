import type { Delivery } from '../../shared/ports/queue.ts';
import { address } from '../../shared/runtime/address.ts';
import { type Machine, routesTo } from '../../shared/runtime/machine.ts';

/** As many as go out before it is kept that they have. */
const atOnce = 500;

/**
 * Sends what findings are worth. The findings and the operations stand in rows by then, so a crash in between sends a knock
 * twice and never not at all. No row of the knock table stands behind one: what gets lost later, the next pass finds again.
 */
export async function sendKnocks(machine: Machine, pass: number): Promise<void> {
  const { queue, tracing, metrics, newId, world } = machine;
  for (;;) {
    const knocks = await world.driftPasses.unsent(pass, atOnce);
    if (knocks.length === 0) return;
    const { traceparent } = tracing.start('reconcile-drift', undefined);
    const deliveries: Delivery[] = knocks.flatMap(({ type, subject }) =>
      routesTo(machine, type).map((route) => {
        const id = newId();
        return {
          message: address(route, { id, type, subject }, { cause: undefined, correlation: id, traceparent }),
          from: 'reconcile-drift',
          pending: false,
        };
      }),
    );
    await queue.send(deliveries);
    await world.driftPasses.sent(pass, knocks);
    metrics.knocks.inc({ door: 'reconcile-drift' }, deliveries.length);
  }
}
