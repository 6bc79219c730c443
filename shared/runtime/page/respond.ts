import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Document } from './document.ts';

/**
 * On everything that a page answers: nothing comes from anywhere else, nothing runs that is not a file of ours, no text
 * becomes markup, and nobody frames it or reads it from another site.
 */
const guards: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

export function setGuards(response: ServerResponse): void {
  for (const [name, value] of Object.entries(guards)) response.setHeader(name, value);
}

/** Sends a document, or that the caller's copy of it is still good. */
export function sendDocument(
  request: IncomingMessage,
  response: ServerResponse,
  document: Document,
  isPrivate: boolean,
): void {
  response.setHeader('etag', document.etag);
  response.setHeader('vary', 'accept-encoding');
  // Kept, and asked about every time: what changes is seen at once, what does not costs no bytes.
  response.setHeader('cache-control', isPrivate ? 'private, no-cache' : 'no-cache');
  const kept = (request.headers['if-none-match'] ?? '').split(',').map((etag) => etag.trim());
  if (kept.includes(document.etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  const isPacked = document.packed !== undefined && takesGzip(request);
  const body = isPacked ? document.packed : document.body;
  response.statusCode = 200;
  response.setHeader('content-type', document.type);
  response.setHeader('content-length', body.length);
  if (isPacked) response.setHeader('content-encoding', 'gzip');
  response.end(request.method === 'HEAD' ? undefined : body);
}

export function sendJson(request: IncomingMessage, response: ServerResponse, status: number, body: object): void {
  sendOnce(request, response, status, 'application/json', `${JSON.stringify(body)}\n`);
}

/** Sends a page under another status than that of one that is there. */
export function sendPage(request: IncomingMessage, response: ServerResponse, status: number, page: Document): void {
  sendOnce(request, response, status, page.type, page.body);
}

/** Sends something that is not to be kept. */
function sendOnce(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  type: string,
  body: string | Buffer,
): void {
  response.statusCode = status;
  response.setHeader('content-type', type);
  response.setHeader('cache-control', 'no-store');
  response.end(request.method === 'HEAD' ? undefined : body);
}

export function redirect(response: ServerResponse, to: string): void {
  response.statusCode = 302;
  response.setHeader('location', to);
  response.setHeader('cache-control', 'no-store');
  response.end();
}

/** Does a browser show to a person what comes? Whoever takes anything is content with JSON. */
export function takesHtml(request: IncomingMessage): boolean {
  return /(?:^|,)\s*text\/html\s*(?:[,;]|$)/.test(String(request.headers.accept ?? ''));
}

function takesGzip(request: IncomingMessage): boolean {
  return /(?:^|,)\s*gzip\s*(?:,|$)/.test(String(request.headers['accept-encoding'] ?? ''));
}
