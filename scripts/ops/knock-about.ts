import type { Subject } from '../../shared/domain/core/subject.ts';
import { address } from '../../shared/runtime/address.ts';
import type { Context } from './context.ts';

/**
 * Asks whoever consumes this type to look at a subject. The watch brings most changes by itself; this is for the ones that
 * an operator made, so that they do not depend on it. Returns how many functions were told.
 */
export async function knockAbout(
  { routes, queue, newId }: Pick<Context, 'routes' | 'queue' | 'newId'>,
  type: string,
  subject: Subject,
  correlation: string,
): Promise<number> {
  const deliveries = routes
    .filter(({ consumes }) => consumes.includes(type))
    .map((route) => ({
      message: address(
        route,
        { id: newId(), type, subject },
        { cause: correlation, correlation, traceparent: undefined },
      ),
      from: 'ops',
      pending: false,
    }));
  await queue.send(deliveries);
  return deliveries.length;
}
