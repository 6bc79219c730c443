import { stringify } from 'yaml';
import type { ApiObject } from '../api-object.ts';
import { apiVersionOf, type ServedKind } from '../kinds/served-kind.ts';
import type { ObjectList } from '../operations/list-objects.ts';
import { shownAs } from '../operations/version-of.ts';
import { printTable } from '../printing/print-table.ts';
import { StatusError } from '../status-error.ts';
import { objectText } from '../store/object-text.ts';
import type { Accepted } from './negotiate.ts';

export interface Rendering {
  readonly kind: ServedKind;
  readonly accepted: Accepted;
  readonly includeObject: 'None' | 'Metadata' | 'Object';
  readonly now: number;
}

export function renderObject(object: ApiObject, rendering: Rendering): string {
  const { kind, accepted } = rendering;
  switch (accepted.view) {
    case 'Table':
      return finish(JSON.stringify(tableOf([object], rendering)), accepted);
    case 'PartialObjectMetadata':
    case 'PartialObjectMetadataList':
      return finish(JSON.stringify(metadataOf(object)), accepted);
    case 'Object':
      return finish(objectText(shownAs(object, kind)), accepted);
  }
}

export function renderList(list: ObjectList, rendering: Rendering): string {
  const { kind, accepted } = rendering;
  switch (accepted.view) {
    case 'Table': {
      const table = printTable({ ...tableRequest(rendering), objects: list.objects, listMeta: list.metadata });
      return finish(JSON.stringify(table), accepted);
    }
    case 'PartialObjectMetadata':
      throw new StatusError(
        406,
        'NotAcceptable',
        'you requested PartialObjectMetadata, but the requested object is a list (*unstructured.UnstructuredList)',
      );
    case 'PartialObjectMetadataList': {
      const items = list.objects.map(metadataOf);
      const made = { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata: list.metadata, items };
      return finish(JSON.stringify(made), accepted);
    }
    case 'Object': {
      // Every object has its text already: a list is their texts in a row.
      const items = list.objects.map((object) => objectText(shownAs(object, kind))).join(',');
      const head = `"kind":${JSON.stringify(kind.listKind)},"apiVersion":${JSON.stringify(apiVersionOf(kind))}`;
      const metadata = kind.isCustom ? { continue: '', ...list.metadata } : list.metadata;
      return finish(`{${head},"metadata":${JSON.stringify(metadata)},"items":[${items}]}`, accepted);
    }
  }
}

/** One line of a watch. Only the first table of a watch says what its columns are. */
export function renderEvent(type: string, object: ApiObject, rendering: Rendering, isFirst: boolean): string {
  const { kind, accepted } = rendering;
  return `{"type":"${type}","object":${text()}}\n`;

  function text(): string {
    if (accepted.view === 'Object') return objectText(shownAs(object, kind));
    if (accepted.view.startsWith('PartialObjectMetadata')) return JSON.stringify(metadataOf(object));
    if (type === 'BOOKMARK') return JSON.stringify({ ...tableOf([], rendering, !isFirst), metadata: object.metadata });
    return JSON.stringify(tableOf([object], rendering, !isFirst));
  }
}

function tableOf(objects: readonly ApiObject[], rendering: Rendering, noHeaders = false): object {
  return printTable({ ...tableRequest(rendering), objects, noHeaders });
}

function tableRequest({ kind, includeObject, now }: Rendering) {
  return { kind, includeObject, now };
}

function metadataOf({ metadata }: ApiObject): object {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
}

function finish(json: string, { yaml }: Accepted): string {
  return yaml ? stringify(JSON.parse(json)) : json;
}
