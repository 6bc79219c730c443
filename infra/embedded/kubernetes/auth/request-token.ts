import { wrong } from '../admission/field-problems.ts';
import type { ApiObject } from '../api-object.ts';
import { instant } from '../clock.ts';
import type { StoreReader } from '../internal-api.ts';
import type { RequestAttributes } from '../request-attributes.ts';
import { badRequest, conflict, invalid, notFound } from '../status-error.ts';
import { quoted } from './go-text.ts';
import type { ReviewOptions } from './review-access.ts';
import { signServiceAccountToken, type TokenOptions } from './service-account-token.ts';

type Fields = Readonly<Record<string, unknown>>;

const kind = { group: 'authentication.k8s.io', kind: 'TokenRequest' };

const shortest = 600;
const longest = 2 ** 32;
const usual = 3600;

function fields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function secondsIn(spec: Fields): number {
  const seconds = spec['expirationSeconds'];
  if (typeof seconds !== 'number') return usual;
  const field = 'spec.expirationSeconds';
  if (seconds < shortest) {
    throw invalid(kind, '', [wrong(field, seconds, 'may not specify a duration less than 10 minutes')]);
  }
  if (seconds > longest) {
    throw invalid(kind, '', [wrong(field, seconds, 'may not specify a duration larger than 2^32 seconds')]);
  }
  return seconds;
}

function boundKind(reference: Fields): 'Pod' | 'Secret' {
  const [version = '', group = ''] = text(reference['apiVersion']).split('/').reverse();
  const name = text(reference['kind']);
  if (group === '' && (name === 'Pod' || name === 'Secret')) return name;
  throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${name}`);
}

function boundObject(read: StoreReader, account: ApiObject, reference: Fields): NonNullable<TokenOptions['boundTo']> {
  const bound = boundKind(reference);
  const resource = bound === 'Pod' ? 'pods' : 'secrets';
  const name = text(reference['name']);
  const object = read.get({ storage: resource, namespace: account.metadata.namespace ?? '', name });
  if (object === undefined) throw notFound({ group: '', resource }, name);

  const accountName = account.metadata.name ?? '';
  const pod = fields(object['spec']) ?? {};
  if (bound === 'Pod' && text(pod['serviceAccountName']) !== accountName) {
    throw badRequest(
      `cannot bind token for serviceaccount ${quoted(accountName)} to pod running with different serviceaccount name.`,
    );
  }
  const uid = object.metadata.uid ?? '';
  const wanted = text(reference['uid']);
  if (wanted !== '' && wanted !== uid) {
    throw conflict(
      { group: '', resource: bound },
      name,
      `the UID in the bound object reference (${wanted}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  return { kind: bound, name, uid };
}

function checkKind({ apiVersion, kind: given }: ApiObject): void {
  if (!given || given === kind.kind) return;
  const version = quoted(apiVersion ?? '');
  throw badRequest(
    `${given} in version ${version} cannot be handled as a ${kind.kind}: no kind ${quoted(given)} is registered for version ${version} in scheme "pkg/runtime/scheme.go:111"`,
  );
}

/** A new token for the ServiceAccount of the request's path. */
export function requestToken(options: ReviewOptions, attributes: RequestAttributes, object: ApiObject): ApiObject {
  const { read, key, issuer, clock } = options;
  const { namespace, name } = attributes;
  checkKind(object);
  if ((object.metadata?.namespace ?? namespace) !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  const given = object.metadata?.name ?? '';
  if (given !== '' && given !== name) {
    const why = 'must match the service account name if specified';
    throw invalid(kind, name, [wrong('metadata.name', given, why)]);
  }
  const account = read.get({ storage: 'serviceaccounts', namespace, name });
  if (account === undefined) throw notFound({ group: '', resource: 'serviceaccounts' }, name);

  const spec = fields(object['spec']) ?? {};
  const seconds = secondsIn(spec);
  const reference = fields(spec['boundObjectRef']);
  const boundTo = reference === undefined ? undefined : boundObject(read, account, reference);
  const listed = Array.isArray(spec['audiences']) ? spec['audiences'].filter((item) => typeof item === 'string') : [];
  const audiences = listed.length === 0 ? [issuer] : listed;
  const uid = account.metadata.uid ?? '';
  const now = clock.now();
  const { token, expiresAt } = signServiceAccountToken({
    key,
    issuer,
    now,
    audiences,
    seconds,
    account: { namespace, name, uid },
    ...(boundTo === undefined ? {} : { boundTo }),
  });

  return {
    ...object,
    apiVersion: `${kind.group}/v1`,
    kind: kind.kind,
    metadata: { ...object.metadata, name, namespace, uid, creationTimestamp: instant(now) },
    spec: { audiences, expirationSeconds: seconds, boundObjectRef: reference ?? null },
    status: { token, expirationTimestamp: instant(expiresAt) },
  };
}
