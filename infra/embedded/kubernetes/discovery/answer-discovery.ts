import type { ServedKind } from '../kinds/served-kind.ts';
import { aggregatedDocument } from './aggregated-document.ts';
import {
  apiGroupDocument,
  apiGroupListDocument,
  apiResourceListDocument,
  apiVersionsDocument,
} from './group-documents.ts';
import {
  digest,
  openApiV2Document,
  openApiV2ProtobufDocument,
  openApiV3Documents,
  openApiV3Index,
} from './open-api-documents.ts';
import { type ServedGroup, servedGroups } from './served-groups.ts';
import { versionDocument } from './version-document.ts';

interface DiscoveryRequest {
  /** Without the query. */
  readonly path: string;
  readonly accept: string;
  readonly ifNoneMatch?: string;
}

interface DiscoveryAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Discovery {
  /** Undefined for a path that is none of discovery's, and for a group or version that is not served. */
  answer(request: DiscoveryRequest): DiscoveryAnswer | undefined;
}

interface DiscoveryOptions {
  /** The same array as long as nothing changed. */
  kinds(): readonly ServedKind[];
  /** Where clients reach this server, as `127.0.0.1:6443`. */
  address(): string;
}

interface Snapshot {
  readonly kinds: readonly ServedKind[];
  readonly groups: readonly ServedGroup[];
  readonly documents: ReadonlyMap<string, () => string>;
  readonly written: Map<string, string>;
}

/** Answers what clients ask to learn which kinds there are. Answers are kept until the kinds change. */
export function createDiscovery({ kinds, address }: DiscoveryOptions): Discovery {
  let snapshot: Snapshot | undefined;

  function current(): Snapshot {
    const now = kinds();
    if (snapshot?.kinds !== now) {
      const groups = servedGroups(now);
      snapshot = { kinds: now, groups, documents: openApiV3Documents(groups), written: new Map() };
    }
    return snapshot;
  }

  function once(key: string, write: (snapshot: Snapshot) => string): string {
    const { written } = current();
    const known = written.get(key) ?? write(current());
    written.set(key, known);
    return known;
  }

  function aggregated(request: DiscoveryRequest, root: 'api' | 'apis', version: string): DiscoveryAnswer {
    const body = once(`${root} ${version}`, ({ groups }) => line(aggregatedDocument(groups, root, version)));
    const type = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
    return tagged(request, body, { 'content-type': type, 'cache-control': 'public', vary: 'Accept' });
  }

  return {
    answer(request) {
      const { path, accept } = request;
      const parts = path.split('/').filter((part) => part !== '');
      const [root, group = '', version = ''] = parts;
      if (path.startsWith('/openapi/')) return openApi(request, parts.slice(1));
      if (parts.length === 1 && root === 'version') return json(JSON.stringify(versionDocument, undefined, 2));
      if (parts.length === 1 && (root === 'api' || root === 'apis')) {
        const wanted = aggregatedVersion(accept);
        if (wanted !== undefined) return aggregated(request, root, wanted);
        if (root === 'api') return json(line(apiVersionsDocument(address())));
        return json(once('apis', ({ groups }) => line(apiGroupListDocument(groups))));
      }
      if (root === 'api' && parts.length === 2) return resources('', group);
      if (root !== 'apis') return undefined;
      if (parts.length === 3) return resources(group, version);
      const served = parts.length === 2 ? current().groups.find((one) => one.group === group) : undefined;
      return served === undefined ? undefined : json(line(apiGroupDocument(served)));
    },
  };

  function resources(group: string, version: string): DiscoveryAnswer | undefined {
    const served = current().groups.find((one) => one.group === group);
    const found = served?.versions.find((one) => one.version === version);
    if (found === undefined) return undefined;
    return json(once(`${group}/${version}`, () => line(apiResourceListDocument(group, found))));
  }

  function openApi(request: DiscoveryRequest, parts: readonly string[]): DiscoveryAnswer | undefined {
    const [version, ...rest] = parts;
    if (version === 'v2' && rest.length === 0) {
      if (request.accept.includes('proto-openapi.spec.v2'))
        return { status: 200, headers: protobufType, body: openApiV2ProtobufDocument() };
      if (!/json|\*\//.test(request.accept) && request.accept !== '') return { status: 406, headers: {}, body: '' };
      return tagged(
        request,
        once('openapi v2', ({ groups }) => openApiV2Document(groups)),
        jsonType,
      );
    }
    if (version !== 'v3') return undefined;
    if (rest.length === 0) return json(once('openapi v3', ({ documents }) => openApiV3Index(documents)));
    const document = current().documents.get(rest.join('/'));
    return document === undefined ? undefined : tagged(request, document(), jsonType);
  }
}

const jsonType = { 'content-type': 'application/json' };
const protobufType = { 'content-type': 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf' };

function line(document: unknown): string {
  return `${JSON.stringify(document)}\n`;
}

function json(body: string): DiscoveryAnswer {
  return { status: 200, headers: jsonType, body };
}

function tagged({ ifNoneMatch }: DiscoveryRequest, body: string, headers: Record<string, string>): DiscoveryAnswer {
  const etag = `"${digest(body)}"`;
  if (ifNoneMatch === etag) return { status: 304, headers: { ...headers, etag }, body: '' };
  return { status: 200, headers: { ...headers, etag }, body };
}

/** The first form that the client names decides, as it names them in the order of its liking. */
function aggregatedVersion(accept: string): string | undefined {
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const given = new Map(parameters.map((one) => one.split('=', 2) as [string, string]));
    if (given.get('as') === 'APIGroupDiscoveryList' && given.get('g') === 'apidiscovery.k8s.io') {
      const version = given.get('v') ?? '';
      if (type === 'application/json' && (version === 'v2' || version === 'v2beta1')) return version;
    } else if (type === 'application/json' || type === '*/*') return undefined;
  }
  return undefined;
}
