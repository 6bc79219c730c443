import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';

/** A caller we know: by the token it sends, or by the client certificate that TLS has checked. */
export function isKnown(request: IncomingMessage, tokens: readonly string[]): boolean {
  if ((request.socket as Partial<TLSSocket>).authorized === true) return true;
  const sent = sentToken(request);
  return sent !== undefined && tokens.some((token) => isSame(token, sent));
}

export function sentToken(request: IncomingMessage): string | undefined {
  return /^Bearer (?<token>\S+)$/i.exec(request.headers.authorization ?? '')?.groups?.['token'];
}

/** Takes as long for a near miss as for any other. */
export function isSame(token: string, sent: string): boolean {
  const [one, other] = [Buffer.from(token), Buffer.from(sent)];
  return one.length === other.length && timingSafeEqual(one, other);
}
