import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isKnown, isSame, sentToken } from '../callers.ts';
import type { Machine } from '../machine.ts';

/** Who may look at pages. */
export interface Viewers {
  /** What people prove who they are with. */
  readonly tokens: readonly string[];
  /** Who need not: nobody, a browser on this machine, or everybody, where somebody before us knows the callers. */
  readonly openTo: 'nobody' | 'loopback' | 'everybody';
}

const cookieName = 'stagecoach-console';
/** A working day: who comes back tomorrow shows the token again. */
const sessionSeconds = 12 * 60 * 60;

export function viewersOf({ viewers, tokens }: Pick<Machine, 'viewers' | 'tokens'>): Viewers {
  return viewers ?? { tokens, openTo: 'nobody' };
}

/** May this caller look? By a token, a client certificate, a session, or because the page is open to them. */
export function mayLook(request: IncomingMessage, { tokens, openTo }: Viewers, now: number): boolean {
  return (
    openTo === 'everybody' ||
    (openTo === 'loopback' && isOnThisMachine(request)) ||
    isKnown(request, tokens) ||
    hasSession(request, tokens, now)
  );
}

/**
 * The cookie of somebody who has just sent a token. It holds when it ends and a proof that whoever made it knew the token,
 * so no instance has to remember it, and it ends for all when the token does.
 */
export function newSession(
  request: IncomingMessage,
  { tokens }: Viewers,
  path: string,
  now: number,
): string | undefined {
  const sent = sentToken(request);
  const token = tokens.find((one) => sent !== undefined && isSame(one, sent));
  if (token === undefined) return undefined;
  const ends = Math.floor(now / 1_000) + sessionSeconds;
  return cookie(request, `${ends}.${proofOf(token, ends)}`, path, sessionSeconds);
}

export function endedSession(request: IncomingMessage, path: string): string {
  return cookie(request, '', path, 0);
}

/** Another site's page that makes a browser ask us, with whatever the browser would add. */
export function isFromAnotherSite(request: IncomingMessage): boolean {
  const from = request.headers['sec-fetch-site'];
  return from === 'cross-site' || from === 'same-site';
}

function hasSession(request: IncomingMessage, tokens: readonly string[], now: number): boolean {
  const found = new RegExp(`(?:^|;\\s*)${cookieName}=(\\d{1,12})\\.([\\w-]{43})(?:;|$)`).exec(
    request.headers.cookie ?? '',
  );
  if (found === null) return false;
  const ends = Number(found[1]);
  return ends * 1_000 > now && tokens.some((token) => isSame(proofOf(token, ends), found[2] ?? ''));
}

function proofOf(token: string, ends: number): string {
  return createHmac('sha256', token).update(`console session until ${ends}`).digest('base64url');
}

function cookie(request: IncomingMessage, value: string, path: string, seconds: number): string {
  const isSecure =
    (request.socket as { encrypted?: boolean }).encrypted === true || request.headers['x-forwarded-proto'] === 'https';
  const parts = [`${cookieName}=${value}`, `Path=${path}`, `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict'];
  return [...parts, ...(isSecure ? ['Secure'] : [])].join('; ');
}

/**
 * A browser on this machine that was sent here by its own address. The name matters: a site whose name has been made to
 * lead to 127.0.0.1 would otherwise read the page as its own. So does a proxy, which makes everybody look local.
 */
function isOnThisMachine(request: IncomingMessage): boolean {
  const { host = '', forwarded, 'x-forwarded-for': forwardedFor } = request.headers;
  const from = request.socket.remoteAddress ?? '';
  return (
    forwarded === undefined &&
    forwardedFor === undefined &&
    /^(?:::ffff:)?127\.|^::1$/.test(from) &&
    /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(host)
  );
}
