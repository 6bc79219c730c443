import { createHash, timingSafeEqual } from 'node:crypto';
import type { ApiObject } from '../api-object.ts';
import type { StoreReader } from '../internal-api.ts';
import type { User } from '../user.ts';
import type { Claims } from './json-web-token.ts';
import { accountUserName } from './service-account-token.ts';

/** Clocks of two machines may differ by this much. */
const leewaySeconds = 60;

export type Checked = { readonly user: User } | { readonly error: string };

export function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function fields(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function timeProblem(claims: Claims, now: number): string | undefined {
  const seconds = now / 1000;
  const { exp, nbf, iat } = claims as { exp?: unknown; nbf?: unknown; iat?: unknown };
  if (typeof nbf === 'number' && seconds + leewaySeconds < nbf) return 'service account token is not valid yet';
  if (typeof exp !== 'number' || seconds - leewaySeconds > exp) return 'service account token has expired';
  if (typeof iat === 'number' && seconds + leewaySeconds < iat) return 'service account token is issued in the future';
  return undefined;
}

function isGone(object: ApiObject | undefined, now: number): boolean {
  if (object === undefined) return true;
  const deletion = object.metadata.deletionTimestamp;
  return deletion !== undefined && Date.parse(deletion) < now - leewaySeconds * 1000;
}

/** A token ends with the Pod or Secret that it was made for; one that came later under the same name is another. */
function boundProblem(read: StoreReader, namespace: string, kubernetes: Claims, now: number): string | undefined {
  for (const kind of ['secret', 'pod'] as const) {
    const reference = fields(kubernetes[kind]);
    if (reference === undefined) continue;
    const object = read.get({ storage: `${kind}s`, namespace, name: text(reference['name']) });
    if (isGone(object, now)) return 'service account token has been invalidated';
    const uid = object?.metadata.uid ?? '';
    if (uid !== reference['uid']) {
      const title = kind === 'secret' ? 'secret' : 'pod';
      return `${title} UID (${uid}) does not match service account ${title} ref claim (${text(reference['uid'])})`;
    }
  }
  return fields(kubernetes['node']) === undefined || fields(kubernetes['pod']) !== undefined
    ? undefined
    : 'service account token has been invalidated';
}

function accountUser(namespace: string, name: string, uid: string, extra: Record<string, readonly string[]>): User {
  return {
    name: accountUserName(namespace, name),
    uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

/** Who a token from the token subresource stands for now; its signature is already proven. */
export function checkBoundToken(read: StoreReader, claims: Claims, now: number): Checked {
  const late = timeProblem(claims, now);
  if (late !== undefined) return { error: late };

  const kubernetes = fields(claims['kubernetes.io']) ?? {};
  const reference = fields(kubernetes['serviceaccount']) ?? {};
  const namespace = text(kubernetes['namespace']);
  const name = text(reference['name']);
  const uid = text(reference['uid']);

  const account = read.get({ storage: 'serviceaccounts', namespace, name });
  if (account === undefined) return { error: `serviceaccounts ${JSON.stringify(name)} not found` };
  if (account.metadata.uid !== uid) {
    return { error: `service account UID (${account.metadata.uid ?? ''}) does not match claim (${uid})` };
  }
  if (isGone(account, now)) return { error: `service account ${namespace}/${name} has been deleted` };
  const unbound = boundProblem(read, namespace, kubernetes, now);
  if (unbound !== undefined) return { error: unbound };

  const pod = fields(kubernetes['pod']);
  return {
    user: accountUser(namespace, name, uid, {
      ...(text(claims['jti']) === ''
        ? {}
        : { 'authentication.kubernetes.io/credential-id': [`JTI=${text(claims['jti'])}`] }),
      ...(pod === undefined
        ? {}
        : {
            'authentication.kubernetes.io/pod-name': [text(pod['name'])],
            'authentication.kubernetes.io/pod-uid': [text(pod['uid'])],
          }),
    }),
  };
}

function isStoredToken(secret: ApiObject, token: string): boolean {
  const stored = Buffer.from(text(fields(secret['data'])?.['token']), 'base64').toString('utf8');
  return timingSafeEqual(digest(stored), digest(token));
}

/** Who the token of a Secret stands for now. The Secret must still hold this very token. */
export function checkSecretToken(read: StoreReader, claims: Claims, token: string): Checked {
  const prefix = 'kubernetes.io/serviceaccount/';
  const namespace = text(claims[`${prefix}namespace`]);
  const secretName = text(claims[`${prefix}secret.name`]);
  const name = text(claims[`${prefix}service-account.name`]);
  const uid = text(claims[`${prefix}service-account.uid`]);
  if (namespace === '') return { error: 'namespace claim is missing' };
  if (secretName === '') return { error: 'secretName claim is missing' };
  if (name === '') return { error: 'serviceAccountName claim is missing' };
  if (uid === '') return { error: 'serviceAccountUID claim is missing' };
  if (claims['sub'] !== accountUserName(namespace, name)) return { error: 'sub claim is invalid' };

  const secret = read.get({ storage: 'secrets', namespace, name: secretName });
  if (secret === undefined || secret.metadata.deletionTimestamp !== undefined) {
    return { error: 'Token has been invalidated' };
  }
  if (!isStoredToken(secret, token)) return { error: "Token does not match server's copy" };

  const account = read.get({ storage: 'serviceaccounts', namespace, name });
  if (account === undefined) return { error: `serviceaccounts ${JSON.stringify(name)} not found` };
  if (account.metadata.deletionTimestamp !== undefined) {
    return { error: `ServiceAccount ${namespace}/${name} has been deleted` };
  }
  if (account.metadata.uid !== uid) {
    return { error: `ServiceAccount UID (${account.metadata.uid ?? ''}) does not match claim (${uid})` };
  }
  return { user: accountUser(namespace, name, uid, {}) };
}
