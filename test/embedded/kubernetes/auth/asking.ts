import type { ApiObject } from '../../../../infra/embedded/kubernetes/api-object.ts';
import type { RequestAttributes } from '../../../../infra/embedded/kubernetes/request-attributes.ts';
import { type Status, StatusError } from '../../../../infra/embedded/kubernetes/status-error.ts';
import type { User } from '../../../../infra/embedded/kubernetes/user.ts';

export const alice: User = { name: 'alice', uid: 'u-alice', groups: ['devs', 'ops', 'system:authenticated'] };
export const bob: User = { name: 'bob', groups: ['system:authenticated'] };
export const admin: User = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };

export function asking(
  user: User,
  verb: string,
  resource: string,
  more: Partial<RequestAttributes> = {},
): RequestAttributes {
  return {
    user,
    verb,
    isResourceRequest: true,
    path: '/somewhere',
    group: '',
    version: 'v1',
    resource,
    subresource: '',
    namespace: '',
    name: '',
    ...more,
  };
}

export function askingPath(user: User, verb: string, path: string): RequestAttributes {
  return asking(user, verb, '', { isResourceRequest: false, path, version: '' });
}

export function rbac(kind: string, name: string, more: Record<string, unknown>, namespace?: string): ApiObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    ...more,
  };
}

/** The Status that something refuses with. */
export function refusalOf(work: () => unknown): Status {
  try {
    work();
  } catch (error) {
    if (error instanceof StatusError) return error.status;
    throw error;
  }
  throw new Error('nothing was refused');
}
