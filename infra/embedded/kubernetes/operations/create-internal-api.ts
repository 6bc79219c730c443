import { randomUUID } from 'node:crypto';
import type { ApiObject } from '../api-object.ts';
import type { Audit } from '../audit/create-audit.ts';
import type { InternalApi } from '../internal-api.ts';
import { apiVersionOf, type ServedKind } from '../kinds/served-kind.ts';
import type { RequestAttributes } from '../request-attributes.ts';
import { notSupported, StatusError } from '../status-error.ts';
import type { User } from '../user.ts';
import { createObject } from './create-object.ts';
import { settleFields } from './decode-object.ts';
import type { Call, Machinery } from './machinery.ts';
import { putObject } from './put-object.ts';
import { readCall } from './read-call.ts';
import { removeObject } from './remove-object.ts';

/** The API for the control plane's own parts: every check and the audit of a request from outside, without a socket. */
export function createInternalApi(machinery: Machinery, audit: Audit | undefined): InternalApi {
  const { store, kinds, clock } = machinery;
  return {
    read: store,
    create: (user, object) => {
      const kind = kindOf(object);
      return perform(user, kind, 'create', { ...object.metadata, name: '' }, '', async (call) =>
        createObject(machinery, call, settleFields(structuredClone(object), kind)),
      );
    },
    update: (user, object, subresource = undefined) => {
      const kind = kindOf(object);
      return perform(user, kind, 'update', object.metadata, subresource ?? '', async (call) =>
        putObject(machinery, call, settleFields(structuredClone(object), kind)),
      );
    },
    remove: async (user, key, options = {}) => {
      const kind = kinds.ofStorage(key.storage);
      if (kind === undefined) throw notSupported(key.storage);
      await perform(user, kind, 'delete', key, '', async (call) => {
        const { object } = await removeObject(machinery, call, key.name, options);
        return object;
      });
    },
  };

  function kindOf(object: ApiObject): ServedKind {
    const kind = kinds.ofObject(object);
    if (kind === undefined) throw notSupported(`${object.apiVersion} ${object.kind}`);
    return kind;
  }

  async function perform(
    user: User,
    kind: ServedKind,
    verb: string,
    at: { readonly namespace?: string; readonly name?: string },
    subresource: string,
    run: (call: Call) => Promise<ApiObject>,
  ): Promise<ApiObject> {
    const { namespace = '', name = '' } = at;
    const path = pathOf(kind, namespace, name, subresource);
    const attributes: RequestAttributes = {
      user,
      verb,
      isResourceRequest: true,
      path,
      group: kind.group,
      version: kind.version,
      resource: kind.plural,
      subresource,
      namespace,
      name,
    };
    const userAgent = 'kube-controller-manager/embedded';
    const record = audit?.begin({
      attributes,
      requestURI: path,
      userAgent,
      sourceIPs: ['127.0.0.1'],
      auditID: randomUUID(),
      receivedAt: clock.now(),
    });
    try {
      const object = await run(
        readCall(kind, attributes, new URLSearchParams({ fieldValidation: 'Ignore' }), userAgent),
      );
      await store.safe();
      record?.complete({ code: verb === 'create' ? 201 : 200, responseObject: object });
      return object;
    } catch (error) {
      if (error instanceof StatusError) record?.complete({ code: error.status.code, status: error.status });
      throw error;
    }
  }
}

function pathOf(kind: ServedKind, namespace: string, name: string, subresource: string): string {
  const root = kind.group === '' ? '/api/v1' : `/apis/${apiVersionOf(kind)}`;
  const inside = kind.namespaced ? `/namespaces/${namespace}` : '';
  return [`${root}${inside}/${kind.plural}`, name, subresource].filter((part) => part !== '').join('/');
}
