import { fillTemplate, serialKey } from '../domain/core/serial-key.ts';
import type { Subject } from '../domain/core/subject.ts';
import type { Message } from '../ports/journal.ts';
import type { Route } from './machine.ts';

/** Where a message comes from. */
export type Origin = Pick<Message, 'cause' | 'correlation' | 'traceparent'>;

/** A knock for one function: its tenant and its serial key follow from where it sends one to look. */
export function address(
  route: Pick<Route, 'function' | 'serial' | 'tenant'>,
  knock: { readonly id: string; readonly type: string; readonly subject: Subject },
  origin: Origin,
): Message {
  const { id, type, subject } = knock;
  return {
    id,
    function: route.function,
    type,
    subject,
    tenant: route.tenant === undefined ? subject.namespace : (fillTemplate(route.tenant, subject) ?? subject.namespace),
    serialKey: serialKey(route.serial, route.function, subject),
    ...origin,
  };
}
