import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../infra/embedded/kubernetes/api-object.ts';
import { createAuthenticator } from '../../../../infra/embedded/kubernetes/auth/authenticate.ts';
import { createAuthorizer } from '../../../../infra/embedded/kubernetes/auth/authorize.ts';
import { createReviews, type Reviews } from '../../../../infra/embedded/kubernetes/auth/reviews.ts';
import { loadSigningKey, makeSigningKey } from '../../../../infra/embedded/kubernetes/auth/signing-key.ts';
import type { User } from '../../../../infra/embedded/kubernetes/user.ts';
import { SteppedClock } from '../../../support/stepped-clock.ts';
import { admin, alice, asking, bob, rbac, refusalOf } from './asking.ts';
import { createMemoryStore, type MemoryStore } from './memory-store.ts';

const issuer = 'https://kubernetes.default.svc';
const key = loadSigningKey(makeSigningKey());

let store: MemoryStore;
let reviews: Reviews;

function review(
  kind: string,
  spec: unknown,
  user: User = admin,
  more: Partial<ApiObject> = {},
  namespace = '',
): ApiObject {
  const attributes = asking(user, 'create', `${kind.toLowerCase()}s`, { group: 'authorization.k8s.io', namespace });
  return reviews.review(attributes, { apiVersion: 'authorization.k8s.io/v1', kind, metadata: {}, spec, ...more });
}

function request(spec: unknown, name = 'bot', metadata = {}): ApiObject {
  const attributes = asking(admin, 'create', 'serviceaccounts', { subresource: 'token', namespace: 'x', name });
  const object = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata, spec };
  return reviews.requestToken(attributes, object);
}

function statusOf(object: ApiObject): Record<string, unknown> {
  return object['status'] as Record<string, unknown>;
}

beforeEach(() => {
  store = createMemoryStore();
  const clock = new SteppedClock();
  const tokens = [{ token: 'alice-token', user: 'alice', uid: 'u-alice', groups: ['devs'] }];
  const authenticator = createAuthenticator({ read: store, clock, keys: [key], issuer, tokens });
  const authorizer = createAuthorizer({ read: store });
  reviews = createReviews({ read: store, clock, authenticator, authorizer, key, issuer });
  const rules = [
    { apiGroups: [''], resources: ['pods'], verbs: ['get'], resourceNames: ['p'] },
    { nonResourceURLs: ['/foo/*'], verbs: ['get'] },
  ];
  store.put('clusterroles.rbac.authorization.k8s.io', rbac('ClusterRole', 'r', { rules }));
  for (const [name, role] of [
    ['one', 'r'],
    ['two', 'missing'],
  ] as const) {
    const binding = { roleRef: { kind: 'ClusterRole', name: role }, subjects: [{ kind: 'User', name: 'bob' }] };
    store.put('clusterrolebindings.rbac.authorization.k8s.io', rbac('ClusterRoleBinding', name, binding));
  }
});

describe('an access review', () => {
  it('answers with the reason, and keeps the question', () => {
    const resourceAttributes = { namespace: 'x', verb: 'get', resource: 'pods', name: 'p' };

    expect(review('SubjectAccessReview', { user: 'bob', resourceAttributes })).toEqual({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      metadata: {},
      spec: { user: 'bob', resourceAttributes },
      status: { allowed: true, reason: 'RBAC: allowed by ClusterRoleBinding "one" of ClusterRole "r" to User "bob"' },
    });
    expect(statusOf(review('SubjectAccessReview', { user: 'alice', resourceAttributes }))).toEqual({ allowed: false });
    expect(statusOf(review('SubjectAccessReview', { groups: ['system:masters'], resourceAttributes }))).toEqual({
      allowed: true,
    });
  });

  it('of oneself is about whoever asks', () => {
    const spec = { nonResourceAttributes: { path: '/foo/a', verb: 'get' } };

    expect(statusOf(review('SelfSubjectAccessReview', spec, bob))['allowed']).toBe(true);
    expect(statusOf(review('SelfSubjectAccessReview', spec, alice))['allowed']).toBe(false);
  });

  it('needs one question and somebody to ask about', () => {
    const refused = refusalOf(() => review('SubjectAccessReview', {}));
    const both = { user: 'a', resourceAttributes: {}, nonResourceAttributes: { path: '/x', verb: 'get' } };

    expect(refused.message).toBe(
      '.authorization.k8s.io "" is invalid: [spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified, spec.user: Invalid value: "": at least one of user or group must be specified]',
    );
    expect(refused.details).toMatchObject({ group: 'authorization.k8s.io' });
    expect(refused.details).not.toHaveProperty('kind');
    expect(refusalOf(() => review('SubjectAccessReview', both)).message).toContain(
      'spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":"get"}: cannot be specified in combination with resourceAttributes',
    );
    expect(
      refusalOf(() => review('SelfSubjectAccessReview', { resourceAttributes: {} }, bob, { metadata: { name: 'n' } }))
        .message,
    ).toBe('.authorization.k8s.io "" is invalid: metadata: Invalid value: {"name":"n"}: must be empty');
  });

  it('of a namespace stays in it', () => {
    const local = (resourceAttributes: unknown) =>
      review('LocalSubjectAccessReview', { user: 'bob', resourceAttributes }, admin, {}, 'x');

    expect(local({ namespace: 'x', verb: 'get', resource: 'pods', name: 'p' })).toMatchObject({
      metadata: { namespace: 'x' },
      status: { allowed: true },
    });
    expect(refusalOf(() => local({ namespace: 'y', verb: 'get', resource: 'pods' })).message).toBe(
      '.authorization.k8s.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: "y": must match metadata.namespace',
    );
  });

  it('lists the rules, and what could not be found', () => {
    expect(statusOf(review('SelfSubjectRulesReview', { namespace: 'x' }, bob))).toEqual({
      resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['p'] }],
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/foo/*'] }],
      incomplete: false,
      evaluationError: 'clusterrole.rbac.authorization.k8s.io "missing" not found',
    });
    expect(refusalOf(() => review('SelfSubjectRulesReview', {}, bob)).message).toBe('no namespace on request');
  });
});

describe('a review of identity', () => {
  it('says who asks', () => {
    expect(review('SelfSubjectReview', undefined, alice)).toMatchObject({
      metadata: { creationTimestamp: '2026-11-16T10:00:00Z' },
      status: { userInfo: { username: 'alice', uid: 'u-alice', groups: ['devs', 'ops', 'system:authenticated'] } },
    });
  });

  it('says whose a token is', () => {
    expect(statusOf(review('TokenReview', { token: 'alice-token' }))).toEqual({
      authenticated: true,
      user: { username: 'alice', uid: 'u-alice', groups: ['devs', 'system:authenticated'] },
      audiences: [issuer],
    });
    expect(statusOf(review('TokenReview', { token: 'alice-token', audiences: ['foo'] }))).toEqual({
      user: {},
      error: 'invalid bearer token',
    });
    expect(refusalOf(() => review('TokenReview', {})).message).toBe(
      'token is required for TokenReview in authentication',
    );
  });
});

describe('a request for a token', () => {
  beforeEach(() => {
    store.put('serviceaccounts', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'bot', namespace: 'x' },
    });
    store.put('secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'x', uid: 'u-s' } });
    const spec = { serviceAccountName: 'other' };
    store.put('pods', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'x' }, spec });
  });

  it('gives one that works, for an hour and for this server where nothing else is said', () => {
    const given = request({});
    const token = statusOf(given)['token'] as string;

    expect(given).toMatchObject({
      metadata: { name: 'bot', namespace: 'x', creationTimestamp: '2026-11-16T10:00:00Z' },
      spec: { audiences: [issuer], expirationSeconds: 3600, boundObjectRef: null },
      status: { expirationTimestamp: '2026-11-16T11:00:00Z' },
    });
    expect(statusOf(review('TokenReview', { token }))['authenticated']).toBe(true);
  });

  it('writes the claims that a real server writes', () => {
    const boundObjectRef = { kind: 'Secret', apiVersion: 'v1', name: 's' };
    const token = statusOf(request({ boundObjectRef, audiences: ['vault'], expirationSeconds: 700 }))[
      'token'
    ] as string;
    const uid = store.get({ storage: 'serviceaccounts', namespace: 'x', name: 'bot' })?.metadata.uid;

    expect(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())).toEqual({
      aud: ['vault'],
      exp: 1794823900,
      iat: 1794823200,
      iss: issuer,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      'kubernetes.io': { namespace: 'x', secret: { name: 's', uid: 'u-s' }, serviceaccount: { name: 'bot', uid } },
      nbf: 1794823200,
      sub: 'system:serviceaccount:x:bot',
    });
  });

  it('is refused in the words of the API', () => {
    const message = (work: () => unknown) => refusalOf(work).message;
    const bound = (boundObjectRef: unknown) => () => request({ boundObjectRef });

    expect(message(() => request({ expirationSeconds: 60 }))).toBe(
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes',
    );
    expect(message(() => request({ expirationSeconds: 2 ** 33 }))).toContain('larger than 2^32 seconds');
    expect(message(() => request({}, 'nosa'))).toBe('serviceaccounts "nosa" not found');
    expect(message(() => request({}, 'bot', { name: 'other' }))).toBe(
      'TokenRequest.authentication.k8s.io "bot" is invalid: metadata.name: Invalid value: "other": must match the service account name if specified',
    );
    expect(message(() => request({}, 'bot', { namespace: 'other' }))).toBe(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
    expect(message(bound({ kind: 'Secret', apiVersion: 'v1', name: 'nosec' }))).toBe('secrets "nosec" not found');
    expect(message(bound({ kind: 'ConfigMap', apiVersion: 'v1', name: 's' }))).toBe(
      'cannot bind token to object of type /v1, Kind=ConfigMap',
    );
    expect(message(bound({ kind: 'Secret', apiVersion: 'v1', name: 's', uid: 'abc' }))).toBe(
      'Operation cannot be fulfilled on Secret "s": the UID in the bound object reference (abc) does not match the UID in record. The object might have been deleted and then recreated',
    );
    expect(message(bound({ kind: 'Pod', apiVersion: 'v1', name: 'p' }))).toContain(
      'to pod running with different serviceaccount name.',
    );
  });
});
