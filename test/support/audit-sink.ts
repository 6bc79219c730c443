import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An event of audit.k8s.io/v1, as tests read it. */
export interface AuditEvent {
  readonly level: string;
  readonly auditID: string;
  readonly stage: string;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: { readonly username: string; readonly groups?: readonly string[]; readonly uid?: string };
  readonly impersonatedUser?: { readonly username: string; readonly groups?: readonly string[] };
  readonly userAgent?: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly uid?: string;
    readonly apiGroup?: string;
    readonly apiVersion?: string;
    readonly resourceVersion?: string;
    readonly subresource?: string;
  };
  readonly responseStatus?: { readonly code?: number; readonly reason?: string; readonly message?: string };
  readonly requestObject?: unknown;
  readonly responseObject?: unknown;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

export interface AuditEventList {
  readonly kind: string;
  readonly apiVersion: string;
  readonly items: readonly AuditEvent[];
}

export interface AuditTrail {
  /** What has arrived until now, oldest first. */
  readonly events: readonly AuditEvent[];
  /** The bodies of the posts, for what is said of the envelope. */
  readonly lists: readonly AuditEventList[];
  /** The first event that matches, at once if it is there, or when it comes; throws after the deadline. */
  waitFor(matches: (event: AuditEvent) => boolean, deadlineMs?: number): Promise<AuditEvent>;
}

export interface AuditSink extends AuditTrail {
  readonly url: string;
  stop(): Promise<void>;
}

/** Where an API server posts its audit events. It must stand before the server starts. */
export async function startAuditSink(): Promise<AuditSink> {
  const events: AuditEvent[] = [];
  const lists: AuditEventList[] = [];
  const waiting = new Set<() => void>();

  const server = createServer((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      const list = JSON.parse(Buffer.concat(parts).toString('utf8')) as AuditEventList;
      lists.push(list);
      events.push(...list.items);
      response.writeHead(200).end();
      for (const look of waiting) look();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  function waitFor(matches: (event: AuditEvent) => boolean, deadlineMs = 10_000): Promise<AuditEvent> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        waiting.delete(look);
        reject(new Error(`none of ${events.length} audit events matched within ${deadlineMs} ms: ${matches}`));
      }, deadlineMs);
      function look(): void {
        const found = events.find(matches);
        if (found === undefined) return;
        clearTimeout(late);
        waiting.delete(look);
        resolve(found);
      }
      waiting.add(look);
      look();
    });
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/audit`,
    events,
    lists,
    waitFor,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
