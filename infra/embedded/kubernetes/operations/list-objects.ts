import type { ApiObject } from '../api-object.ts';
import { badRequest, expired, StatusError } from '../status-error.ts';
import type { Call, Machinery } from './machinery.ts';
import { fieldSelector, labelSelector, type Selector } from './selectors.ts';

export interface ObjectList {
  readonly objects: readonly ApiObject[];
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
}

/** Stands in a token for "whatever is there now". */
const Inconsistent = -1;

interface Page {
  readonly rv: number;
  /** The key of the last object that was given out. */
  readonly start: string;
}

/** The objects that a query selects, page by page at one revision where a limit is asked for. */
export function listObjects({ store }: Machinery, { kind, attributes }: Call, query: URLSearchParams): ObjectList {
  const selects = selectorOf(query, kind);
  const token = query.get('continue');
  const page = token === null || token === '' ? undefined : readToken(token);
  const asked = query.get('resourceVersion') ?? '';
  // From "any version" a cache answers elsewhere, and it does not know pages.
  const limit = asked === '0' && page === undefined ? 0 : readCount(query.get('limit'));
  if (page !== undefined && asked !== '' && asked !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const match = query.get('resourceVersionMatch') ?? '';
  checkMatch(match, asked, page !== undefined);
  const version = asked === '' ? 0 : readVersion(asked, true);
  checkNotAhead(version, store.revision);
  const exact = exactRevision();
  const revision = exact ?? store.revision;
  const namespace = kind.namespaced && attributes.namespace !== '' ? attributes.namespace : undefined;
  const all = exact === undefined ? store.list(kind.storage, namespace) : store.listAt(kind.storage, exact, namespace);
  if (all === undefined) throw page === undefined ? tooOld() : expiredToken(page);
  const rest = page === undefined ? all : all.filter((object) => keyOf(object) > page.start);
  return cut(rest, selects, limit, revision, query);

  function exactRevision(): number | undefined {
    if (page !== undefined) return page.rv === Inconsistent ? undefined : page.rv;
    const isExact = match === 'Exact' || (match === '' && limit > 0);
    return version > 0 && isExact ? version : undefined;
  }
}

function cut(
  rest: readonly ApiObject[],
  selects: Selector,
  limit: number,
  revision: number,
  query: URLSearchParams,
): ObjectList {
  const resourceVersion = String(revision);
  if (limit === 0) return { objects: rest.filter(selects), metadata: { resourceVersion } };
  const objects: ApiObject[] = [];
  let seen = 0;
  for (const object of rest) {
    if (objects.length === limit) break;
    seen += 1;
    if (selects(object)) objects.push(object);
  }
  const last = rest[seen - 1];
  const left = rest.length - seen;
  if (last === undefined || left === 0) return { objects, metadata: { resourceVersion } };
  const next = writeToken({ rv: revision, start: keyOf(last) });
  // With a selector nobody knows how many of the rest it would take.
  const isPlain = !query.get('labelSelector') && !query.get('fieldSelector');
  return { objects, metadata: { resourceVersion, continue: next, ...(isPlain ? { remainingItemCount: left } : {}) } };
}

export function selectorOf(query: URLSearchParams, kind: Call['kind']): Selector {
  const [labels, fields] = [query.get('labelSelector'), query.get('fieldSelector')];
  const [byLabel, byField] = [labelSelector(labels), fieldSelector(fields, kind)];
  return (object) => byLabel(object) && byField(object);
}

function keyOf({ metadata: { namespace, name } }: ApiObject): string {
  return namespace === undefined ? (name ?? '') : `${namespace}/${name}`;
}

function writeToken({ rv, start }: Page): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv, start })).toString('base64url');
}

function readToken(token: string): Page {
  try {
    const read = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as Partial<Page>;
    if (Number.isSafeInteger(read.rv) && typeof read.start === 'string')
      return { rv: read.rv as number, start: read.start };
  } catch {
    // What is not ours is refused below.
  }
  throw badRequest('invalid continue token: continue key is not valid: it is not one that this server gave out');
}

/** A resourceVersion of a request. A list refuses a wrong one as a mistake of the client; elsewhere the API answers 500. */
export function readVersion(text: string, isList = false): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const quoted = JSON.stringify(text);
  const why = `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`;
  throw isList ? badRequest(`invalid resource version: ${why}`) : new StatusError(500, '', why);
}

export function readCount(text: string | null): number {
  if (text === null || text === '') return 0;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}

function checkMatch(match: string, asked: string, isContinued: boolean): void {
  if (match === '') return;
  const refuse = (message: string) => {
    throw new StatusError(422, 'Invalid', `ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: ${message}`);
  };
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    refuse(`Unsupported value: "${match}": supported values: "Exact", "NotOlderThan", ""`);
  }
  if (isContinued) refuse('Forbidden: resourceVersionMatch is forbidden when continue is provided');
  if (asked === '') refuse('Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided');
  if (asked === '0' && match === 'Exact')
    refuse('Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
}

function checkNotAhead(asked: number, current: number): void {
  if (asked <= current) return;
  throw new StatusError(504, 'Timeout', `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

function tooOld(): StatusError {
  return expired('The resourceVersion for the provided list is too old.');
}

/** The way on for a client that came too late: the rest as it is now. */
function expiredToken({ start }: Page): StatusError {
  const error = expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
  );
  error.status.metadata['continue'] = writeToken({ rv: Inconsistent, start });
  return error;
}
