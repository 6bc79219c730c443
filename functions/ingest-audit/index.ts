/**
 * ingest-audit: turns a batch of Kubernetes audit events into knocks.
 *
 *   wakes on   HTTP, an audit.k8s.io/v1 EventList from the API server's audit webhook
 *   observes   nothing: it passes on what was seen
 *   decides    shared/domain/core/interest.ts
 *   commits    a knock for everyone who cares
 *   if down    changes are noticed by the watch alone, or by the next drift pass
 */
import { changesOf } from '../../shared/contracts/audit-changes.ts';
import { changes as everyChange } from '../../shared/contracts/catalog.ts';
import { AuditEventList } from '../../shared/contracts/kubernetes/audit-event.ts';
import { defineWebhook } from '../../shared/runtime/define-webhook.ts';
import { knockFor } from '../../shared/runtime/knock.ts';

export const ingestAudit = defineWebhook({
  name: 'ingest-audit',
  emits: everyChange,
  Body: AuditEventList,
  expects: 'Send an EventList of audit.k8s.io/v1, as kube-apiserver does with --audit-webhook-config-file.',

  async answer({ events, malformed }, machine) {
    const changes = events.flatMap(changesOf);
    const knocks = await knockFor(changes, 'ingest-audit', events[0]?.auditID, machine);
    if (malformed.length > 0)
      machine.log.warn('malformed events', {
        fn: 'ingest-audit',
        count: malformed.length,
        reason: malformed[0]?.problem,
      });
    return { status: 200, body: { changes: changes.length, knocks, malformed: malformed.length } };
  },
});
