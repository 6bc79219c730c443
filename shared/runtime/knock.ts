import { type Change, whoCares } from '../domain/core/interest.ts';
import type { Delivery } from '../ports/queue.ts';
import { address } from './address.ts';
import { type Machine, routesTo } from './machine.ts';

/**
 * Tells every function that cares about these changes. Straight to the queue, without a row: a change can be
 * seen again (relist, drift pass), so there is nothing here that a crash could take for ever.
 */
export async function knockFor(
  changes: readonly Change[],
  door: string,
  cause: string | undefined,
  machine: Machine,
): Promise<number> {
  const { traceparent } = machine.tracing.start(door, undefined);
  const deliveries: Delivery[] = whoCares(changes, machine.interests).flatMap(({ type, subject }) =>
    routesTo(machine, type).map((route) => {
      const id = machine.newId();
      const message = address(route, { id, type, subject }, { cause, correlation: id, traceparent });
      return { message, from: door, pending: false };
    }),
  );
  await machine.queue.send(deliveries);
  machine.metrics.knocks.inc({ door }, deliveries.length);
  return deliveries.length;
}
