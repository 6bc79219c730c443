import { isObjectName } from '../domain/core/object-name.ts';
import { fillTemplate, serialKey } from '../domain/core/serial-key.ts';
import type { Subject } from '../domain/core/subject.ts';
import type { Message } from '../ports/journal.ts';
import type { Route } from './machine.ts';

/** Where a message comes from. */
export type Origin = Pick<Message, 'cause' | 'correlation' | 'traceparent'>;

/** Tenants write what their objects belong to. It only keeps work in order, and a message with it must be one that can be read. */
function withoutPretence({ application = '', ...subject }: Subject): Subject {
  return isObjectName(application) ? { ...subject, application } : subject;
}

/** A knock for one function: its tenant and its serial key follow from where it sends one to look. */
export function address(
  route: Pick<Route, 'function' | 'serial' | 'tenant'>,
  knock: { readonly id: string; readonly type: string; readonly subject: Subject },
  origin: Origin,
): Message {
  const { id, type } = knock;
  const subject = withoutPretence(knock.subject);
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
