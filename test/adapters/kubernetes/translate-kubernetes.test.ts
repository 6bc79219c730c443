import { describe, expect, it } from 'vitest';
import { translateKubernetes, UnexpectedAnswer } from '../../../shared/adapters/kubernetes/translate-kubernetes.ts';

const read = { method: 'GET', path: '/x' };
const write = { method: 'PATCH', path: '/x' };

function answer(status: number, reason = '', message = 'because') {
  return new UnexpectedAnswer(status, { kind: 'Status', reason, message });
}

function broken(code: string) {
  return new TypeError('failed', { cause: Object.assign(new Error('inner'), { code }) });
}

describe('trouble with a cluster', () => {
  it.each([
    ['a write that came second', answer(409, 'Conflict'), write, 'conflict'],
    ['a creation of what is there', answer(409, 'AlreadyExists'), write, 'conflict'],
    ['a version that is too old', answer(410, 'Expired'), read, 'conflict'],
    ['a credential that is not accepted', answer(401, 'Unauthorized'), write, 'transient'],
    ['too many requests', answer(429, 'TooManyRequests'), write, 'transient'],
    ['a server that is starting', answer(503, 'ServiceUnavailable'), write, 'transient'],
    ['a webhook that failed', answer(500, 'InternalError', 'failed calling webhook'), write, 'transient'],
    ['a read that timed out in the gateway', answer(504), read, 'transient'],
    ['a write that timed out in the gateway', answer(504), write, 'uncertain'],
    ['a write whose gateway lost the server', answer(502), write, 'uncertain'],
    [
      'a write that timed out in etcd',
      answer(500, 'InternalError', 'etcdserver: request timed out'),
      write,
      'uncertain',
    ],
    [
      'a write that etcd died under',
      answer(500, '', 'rpc error: code = Unavailable desc = error reading'),
      write,
      'uncertain',
    ],
    ['a write that is too large for etcd', answer(500, '', 'etcdserver: request is too large'), write, 'refused'],
    [
      'a write that is too large for the way to etcd',
      answer(500, '', 'rpc error: code = ResourceExhausted desc = trying to send message larger than max (1 vs. 2)'),
      write,
      'refused',
    ],
    ['a right that is missing', answer(403, 'Forbidden'), read, 'refused'],
    ['an object that is not valid', answer(422, 'Invalid'), write, 'refused'],
    ['a request that makes no sense', answer(400, 'BadRequest'), read, 'refused'],
    ['a login page', answer(302), read, 'transient'],
    ['a server that is not there', broken('ECONNREFUSED'), write, 'transient'],
    ['a name that does not resolve', broken('ENOTFOUND'), write, 'transient'],
    ['a certificate that is not trusted', broken('SELF_SIGNED_CERT_IN_CHAIN'), write, 'transient'],
    ['a connection that broke during a read', broken('UND_ERR_SOCKET'), read, 'transient'],
    ['a connection that broke during a write', broken('UND_ERR_SOCKET'), write, 'uncertain'],
    ['a write that was never answered', broken('TIMED_OUT'), write, 'uncertain'],
  ])('%s', (_what, error, asked, kind) => {
    const trouble = translateKubernetes(error, asked);

    expect(trouble.kind).toBe(kind);
    expect(trouble.cause).toBe(error);
  });

  it('tells the user what the server said', () => {
    const trouble = translateKubernetes(answer(422, 'Invalid', 'spec.path: Required value'), write);

    expect(trouble).toMatchObject({ reason: 'Invalid', forUser: 'spec.path: Required value' });
  });
});
