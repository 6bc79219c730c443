import type { Connection } from '../../domain/gitops/managed-environment.ts';
import { UnexpectedAnswer } from './translate-kubernetes.ts';

const unknownAuthority = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_UNTRUSTED',
]);

/** What an error on the way to a tenant's cluster says about the cluster. */
export function connectionOf(error: unknown): Exclude<Connection, 'works'> {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof UnexpectedAnswer) return at.status === 403 ? 'forbidden' : 'refused';
    const { code } = at as { code?: unknown };
    if (typeof code !== 'string') continue;
    if (unknownAuthority.has(code)) return 'unknown-authority';
    // A certificate for another name, one that is over, or no TLS at all: somebody answers, but not whom the user meant.
    return /^(?:CERT_|ERR_TLS_|ERR_SSL_|ERR_OSSL_)/.test(code) ? 'refused' : 'unreachable';
  }
  // It answered with something that no API server says.
  return 'refused';
}
