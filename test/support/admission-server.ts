import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeCertificate } from '../../infra/embedded/make-certificate.ts';

/** The request of an AdmissionReview, as tests read it. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly userInfo: { readonly username: string; readonly groups?: readonly string[] };
  readonly object: Readonly<Record<string, unknown>> | null;
  readonly oldObject: Readonly<Record<string, unknown>> | null;
  readonly options: Readonly<Record<string, unknown>> | null;
  readonly dryRun?: boolean;
  readonly [field: string]: unknown;
}

/** What a webhook says; uid is filled in, and a patch is given as JSON patch operations and encoded here. */
export interface AdmissionAnswer {
  readonly allowed: boolean;
  readonly status?: { readonly code?: number; readonly message?: string; readonly reason?: string };
  readonly patch?: readonly Readonly<Record<string, unknown>>[];
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

export interface AdmissionServer {
  /** For `clientConfig` of a webhook: `{ url, caBundle }`. */
  readonly clientConfig: { readonly url: string; readonly caBundle: string };
  readonly requests: readonly AdmissionRequest[];
  /** The envelopes as they came. */
  readonly reviews: readonly Readonly<Record<string, unknown>>[];
  stop(): Promise<void>;
}

/** An https server on loopback that answers AdmissionReviews. A handler that throws, or gives undefined, answers 500. */
export async function startAdmissionServer(
  answer: (request: AdmissionRequest) => AdmissionAnswer | undefined | Promise<AdmissionAnswer | undefined>,
): Promise<AdmissionServer> {
  const authority = makeCertificate('stagecoach test admission authority');
  const { cert, key } = makeCertificate('stagecoach test admission', authority);
  const requests: AdmissionRequest[] = [];
  const reviews: Record<string, unknown>[] = [];

  async function review(text: string): Promise<string | undefined> {
    const envelope = JSON.parse(text) as { apiVersion: string; kind: string; request: AdmissionRequest };
    reviews.push(envelope);
    requests.push(envelope.request);
    const given = await answer(envelope.request);
    if (given === undefined) return undefined;
    const { patch, ...said } = given;
    const encoded = patch && { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
    const response = { uid: envelope.request.uid, ...said, ...encoded };
    return JSON.stringify({ apiVersion: envelope.apiVersion, kind: envelope.kind, response });
  }

  const server = createServer({ cert, key }, (incoming, outgoing) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      review(Buffer.concat(parts).toString('utf8')).then(
        (body) => outgoing.writeHead(body === undefined ? 500 : 200, { 'content-type': 'application/json' }).end(body),
        () => outgoing.writeHead(500).end(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    clientConfig: {
      url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/review`,
      caBundle: Buffer.from(authority.cert).toString('base64'),
    },
    requests,
    reviews,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
