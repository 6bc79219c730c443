import { Agent, request } from 'undici';
import type { SendAuditEvents } from './send-in-batches.ts';

interface AuditReceiver {
  readonly url: string;
  readonly token?: string;
  /** PEM; without it the certificate authorities of the machine are trusted. */
  readonly ca?: string;
}

interface AuditSender extends SendAuditEvents {
  close(): Promise<void>;
}

/** As long as a real server waits for its audit webhook. */
const longestCall = 30_000;

/** Posts batches of events to a webhook. Throws where it does not take them. */
export function postAuditEvents({ url, token, ca }: AuditReceiver): AuditSender {
  const agent = new Agent({ connect: ca === undefined ? {} : { ca }, keepAliveTimeout: 30_000 });

  async function send(eventList: unknown): Promise<void> {
    const response = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'kube-apiserver-audit',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(eventList),
      signal: AbortSignal.timeout(longestCall),
    });
    await response.body.dump();
    if (response.statusCode < 200 || response.statusCode >= 300) {
      throw new Error(`the audit webhook at ${new URL(url).origin} answered ${response.statusCode}`);
    }
  }

  return Object.assign(send, { close: () => agent.destroy() });
}
