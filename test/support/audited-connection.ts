import type { ClusterConnection } from '../../shared/adapters/kubernetes/connection.ts';
import { changesOf } from '../../shared/contracts/audit-changes.ts';
import { AuditEventList } from '../../shared/contracts/kubernetes/audit-event.ts';
import { knockFor } from '../../shared/runtime/knock.ts';
import type { Machine } from '../../shared/runtime/machine.ts';

/** One request that was made, for tests that count them. */
export interface Asked {
  readonly method: string;
  readonly path: string;
}

/** A way to somebody else that a test can stand in. */
export interface Watched {
  /** Makes a request fail before it is sent (`before`), or after it took effect (`after`). */
  trouble: ((asked: Asked, when: 'before' | 'after') => Error | undefined) | undefined;
}

export interface AuditedConnection extends ClusterConnection, Watched {
  /** Everything that was asked since the list was last emptied. */
  readonly asked: Asked[];
}

const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

/** A connection whose writes become knocks, as the audit webhook of the API server would make them. */
export function auditedConnection(bare: ClusterConnection, machine: () => Machine): AuditedConnection {
  const audited: AuditedConnection = {
    ...bare,
    asked: [],
    trouble: undefined,
    async request(path, settings = {}) {
      const asked = { method: settings.method ?? 'GET', path };
      audited.asked.push(asked);
      throwIfAny(audited.trouble?.(asked, 'before'));
      const answer = await bare.request(path, settings);
      if (answer.status < 300) await tell(asked, answer.body, machine());
      throwIfAny(audited.trouble?.(asked, 'after'));
      return answer;
    },
  };
  return audited;
}

function throwIfAny(error: Error | undefined): void {
  if (error !== undefined) throw error;
}

async function tell({ method, path }: Asked, body: unknown, machine: Machine): Promise<void> {
  const verb = verbs[method];
  const [, group = '', namespace = '', resource = '', name] =
    /^\/(?:api|apis\/([^/]+))\/v\w+(?:\/namespaces\/([^/]+))?\/([^/?]+)(?:\/([^/?]+))?/.exec(path) ?? [];
  if (verb === undefined || resource === '') return;
  const event = {
    level: 'RequestResponse',
    auditID: 'test',
    stage: 'ResponseComplete',
    verb,
    requestURI: path,
    objectRef: { resource, namespace, name, apiGroup: group, apiVersion: 'v1' },
    responseStatus: { code: 200 },
    responseObject: body,
  };
  const parsed = AuditEventList.parse({ apiVersion: 'audit.k8s.io/v1', kind: 'EventList', items: [event] });
  await knockFor(parsed.events.flatMap(changesOf), 'ingest-audit', undefined, machine);
}
