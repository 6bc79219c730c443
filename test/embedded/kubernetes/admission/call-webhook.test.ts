import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpsCaller, type WebhookCaller } from '../../../../infra/embedded/kubernetes/admission/call-webhook.ts';
import { makeCertificate } from '../../../../infra/embedded/make-certificate.ts';

const certificate = makeCertificate('127.0.0.1');
const caBundle = Buffer.from(certificate.cert).toString('base64');
const bodies: string[] = [];

let server: Server;
let caller: WebhookCaller;
let address: string;

beforeEach(async () => {
  server = createServer({ key: certificate.key, cert: certificate.cert }, (request, response) => {
    if (request.url === '/close') request.socket.destroy();
    else if (request.url === '/endless') {
      const chunk = Buffer.alloc(1024 * 1024, 'x');
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      more();
    } else if (request.url !== '/never') {
      let body = '';
      request.on('data', (part) => {
        body += part;
      });
      request.on('end', () => {
        bodies.push(body);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}');
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  caller = createHttpsCaller();
});

afterEach(async () => {
  await caller.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function call(url: string, bundle = caBundle, signal = AbortSignal.timeout(10_000)) {
  return caller.call({ url, caBundle: bundle, body: '{"kind":"AdmissionReview"}', signal });
}

describe('calling a webhook', () => {
  it('trusts the authority of its configuration, over and over', async () => {
    const answers = await Promise.all([call(`${address}/ok`), call(`${address}/ok`), call(`${address}/ok`)]);

    expect(answers).toEqual(Array(3).fill({ code: 200, contentType: 'application/json', body: '{"a":1}' }));
    expect(bodies.at(-1)).toBe('{"kind":"AdmissionReview"}');
  });

  it('trusts nobody else', async () => {
    const stranger = Buffer.from(makeCertificate('127.0.0.1').cert).toString('base64');

    await expect(call(`${address}/ok`, '')).rejects.toThrow('x509: certificate signed by unknown authority');
    await expect(call(`${address}/ok`, stranger)).rejects.toThrow('tls: failed to verify certificate');
  });

  it('says why nobody answers', async () => {
    await expect(call('https://127.0.0.1:1/x')).rejects.toThrow('dial tcp 127.0.0.1:1: connect: connection refused');
    await expect(call(`${address}/close`)).rejects.toThrow('EOF');
  });

  it('can be given up', async () => {
    await expect(call(`${address}/never`, caBundle, AbortSignal.timeout(50))).rejects.toThrow();
  });

  it('takes no answer without end', async () => {
    await expect(call(`${address}/endless`)).rejects.toThrow('the answer is too large');
  });
});
