import type { ApiObject } from '../api-object.ts';
import { instant } from '../clock.ts';
import type { RequestAttributes } from '../request-attributes.ts';
import { badRequest, notSupported } from '../status-error.ts';
import type { User } from '../user.ts';
import { joinedErrors } from './go-text.ts';
import { requestToken } from './request-token.ts';
import { type ReviewOptions, reviewAccess } from './review-access.ts';

export interface Reviews {
  /** The answer to a SubjectAccessReview, SelfSubjectAccessReview, …, TokenReview. Throws what the API throws. */
  review(attributes: RequestAttributes, object: ApiObject): ApiObject;
  /** The answer to a TokenRequest on `serviceaccounts/<name>/token`. */
  requestToken(attributes: RequestAttributes, object: ApiObject): ApiObject;
}

type Fields = Readonly<Record<string, unknown>>;

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

export function userInfo({ name, uid, groups, extra }: User): Fields {
  return {
    username: name,
    ...(uid === undefined ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(extra === undefined ? {} : { extra }),
  };
}

function reviewRules({ authorizer }: ReviewOptions, attributes: RequestAttributes, object: ApiObject): ApiObject {
  const namespace = fields(object['spec'])['namespace'];
  if (typeof namespace !== 'string' || namespace === '') throw badRequest('no namespace on request');
  const { rules, errors } = authorizer.rulesFor(attributes.user, namespace);
  const resourceRules = rules
    .filter(({ resources }) => resources.length > 0)
    .map(({ verbs, apiGroups, resources, resourceNames }) => ({
      verbs,
      apiGroups,
      resources,
      ...(resourceNames.length === 0 ? {} : { resourceNames }),
    }));
  const nonResourceRules = rules
    .filter(({ nonResourceURLs }) => nonResourceURLs.length > 0)
    .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs }));
  return {
    ...object,
    spec: {},
    status: {
      resourceRules,
      nonResourceRules,
      incomplete: false,
      ...(errors.length === 0 ? {} : { evaluationError: joinedErrors(errors) }),
    },
  };
}

function reviewToken({ authenticator }: ReviewOptions, object: ApiObject): ApiObject {
  const { token, audiences } = fields(object['spec']);
  if (typeof token !== 'string' || token === '')
    throw badRequest('token is required for TokenReview in authentication');
  const wanted = Array.isArray(audiences) ? audiences.filter((audience) => typeof audience === 'string') : [];
  const answer = authenticator.authenticateToken(token, wanted);
  if ('error' in answer) return { ...object, status: { user: {}, error: answer.error } };
  return { ...object, status: { authenticated: true, user: userInfo(answer.user), audiences: answer.audiences } };
}

export function createReviews(options: ReviewOptions): Reviews {
  return {
    review(attributes, given) {
      // Only a local review lies in a namespace; the API forgets what others say of one.
      const { namespace: _, ...metadata } = given.metadata;
      const object = { ...given, metadata };
      switch (object.kind) {
        case 'SubjectAccessReview':
        case 'SelfSubjectAccessReview':
        case 'LocalSubjectAccessReview':
          return reviewAccess(options, attributes, object);
        case 'SelfSubjectRulesReview':
          return reviewRules(options, attributes, object);
        case 'SelfSubjectReview':
          return {
            ...object,
            metadata: { ...object.metadata, creationTimestamp: instant(options.clock.now()) },
            status: { userInfo: userInfo(attributes.user) },
          };
        case 'TokenReview':
          return reviewToken(options, object);
        default:
          throw notSupported(`The kind ${object.kind}`);
      }
    },
    requestToken: (attributes, object) => requestToken(options, attributes, object),
  };
}
