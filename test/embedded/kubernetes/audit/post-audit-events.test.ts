import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEventList } from '../../../../infra/embedded/kubernetes/audit/audit-event.ts';
import { postAuditEvents } from '../../../../infra/embedded/kubernetes/audit/post-audit-events.ts';
import { makeCertificate } from '../../../../infra/embedded/make-certificate.ts';

const certificate = makeCertificate('127.0.0.1');
const list: AuditEventList = { kind: 'EventList', apiVersion: 'audit.k8s.io/v1', metadata: {}, items: [{ a: 1 }] };

let server: Server;
let code: number;
let received: { readonly token: string | undefined; readonly body: unknown }[];

beforeEach(async () => {
  code = 200;
  received = [];
  server = createServer({ key: certificate.key, cert: certificate.cert }, (request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      received.push({ token: request.headers.authorization, body: JSON.parse(body) });
      response.writeHead(code).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function url(): string {
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/audit`;
}

describe('posting audit events', () => {
  it('shows the token and trusts the given authority', async () => {
    const send = postAuditEvents({ url: url(), token: 'secret', ca: certificate.cert });

    await send(list);
    await send.close();

    expect(received).toEqual([{ token: 'Bearer secret', body: list }]);
  });

  it('fails where the receiver does not take them, or is not who it should be', async () => {
    code = 503;
    const send = postAuditEvents({ url: url(), ca: certificate.cert });
    const trusting = postAuditEvents({ url: url() });

    await expect(send(list)).rejects.toThrow('answered 503');
    await expect(trusting(list)).rejects.toThrow();
    await Promise.all([send.close(), trusting.close()]);

    expect(received).toHaveLength(1);
  });
});
