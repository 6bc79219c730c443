/**
 * forward-event: turns forwarded watch events into knocks.
 *
 *   wakes on   HTTP, a batch of watch events from the host's forwarder
 *   observes   nothing: it passes on what was seen
 *   decides    shared/domain/core/interest.ts
 *   commits    a knock for everyone who cares
 *   if down    changes are noticed by the audit webhook alone, or by the next drift pass
 */
import { changes as everyChange } from '../../shared/contracts/catalog.ts';
import { ForwardedEvents, readForwarded } from '../../shared/contracts/forwarded-events.ts';
import { defineWebhook } from '../../shared/runtime/define-webhook.ts';
import { knockFor } from '../../shared/runtime/knock.ts';

export const forwardEvent = defineWebhook({
  name: 'forward-event',
  emits: everyChange,
  Body: ForwardedEvents,
  expects: 'Send {"source": "watch", "events": [{"type": "ADDED", "object": {…}}]}, at most 1000 events at a time.',

  async answer({ events }, machine) {
    const { changes, malformed } = readForwarded(events);
    const knocks = await knockFor(changes, 'forward-event', undefined, machine);
    if (malformed > 0) machine.log.warn('malformed events', { fn: 'forward-event', count: malformed });
    return { status: 200, body: { changes: changes.length, knocks, malformed } };
  },
});
