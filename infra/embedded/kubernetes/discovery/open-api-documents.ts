import { createHash } from 'node:crypto';
import { apiVersionOf, type ServedKind } from '../kinds/served-kind.ts';
import { pathsOf } from './open-api-paths.ts';
import { ComponentWriter } from './open-api-schemas.ts';
import type { ServedGroup } from './served-groups.ts';
import { versionDocument } from './version-document.ts';

const info = { title: 'Stagecoach embedded API server', version: versionDocument.gitVersion };

export function digest(text: string): string {
  return createHash('sha512').update(text).digest('hex').toUpperCase();
}

function components(kinds: readonly ServedKind[], prefix: string): Record<string, unknown> {
  const writer = new ComponentWriter(prefix);
  for (const kind of kinds) writer.addKind(kind);
  return writer.components;
}

function paths(kinds: readonly ServedKind[], prefix: string): Record<string, unknown> {
  return Object.assign({}, ...kinds.map((kind) => pathsOf(kind, prefix))) as Record<string, unknown>;
}

/** One document per group version, under the path that the index names: `api/v1`, `apis/apps/v1`. */
export function openApiV3Documents(groups: readonly ServedGroup[]): ReadonlyMap<string, () => string> {
  const prefix = '#/components/schemas/';
  const documents = new Map<string, () => string>();
  for (const { group, versions } of groups) {
    for (const { version, kinds } of versions) {
      const path = `${group === '' ? 'api' : 'apis'}/${apiVersionOf({ group, version })}`;
      let written: string | undefined;
      documents.set(path, () => {
        const document = {
          openapi: '3.0.0',
          info,
          paths: paths(kinds, prefix),
          components: { schemas: components(kinds, prefix) },
        };
        written ??= JSON.stringify(document);
        return written;
      });
    }
  }
  return documents;
}

/** The address of each document carries its hash, so that clients may keep it for ever. */
export function openApiV3Index(documents: ReadonlyMap<string, () => string>): string {
  const listed = [...documents].map(([path, write]) => [
    path,
    { serverRelativeURL: `/openapi/v3/${path}?hash=${digest(write())}` },
  ]);
  return JSON.stringify({ paths: Object.fromEntries(listed) });
}

/**
 * The protobuf form of version 2, without definitions. A client of today asks for it when it has not found a kind in
 * version 3, and learns from it that the kind is not served; all else it finds in version 3.
 */
export function openApiV2ProtobufDocument(): string {
  const field = (number: number, text: string) => String.fromCharCode((number << 3) | 2, text.length) + text;
  return field(1, '2.0') + field(2, field(1, info.title) + field(2, info.version));
}

export function openApiV2Document(groups: readonly ServedGroup[]): string {
  const kinds = groups.flatMap(({ versions }) => versions.flatMap((served) => served.kinds));
  const prefix = '#/definitions/';
  return JSON.stringify({ swagger: '2.0', info, paths: paths(kinds, prefix), definitions: components(kinds, prefix) });
}
