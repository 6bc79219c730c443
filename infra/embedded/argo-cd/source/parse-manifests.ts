import { parseAllDocuments, type Tags } from 'yaml';
import { isFields, type KubeObject } from '../kube-object.ts';
import { SourceError } from './source-error.ts';

/**
 * Reads YAML as Kubernetes does: octal numbers and the yes and no of YAML 1.1, but neither its times of day nor its dates,
 * which Go leaves as text.
 */
export function readYaml(text: string): unknown[] {
  return parseAllDocuments(text, { version: '1.1', customTags: withoutTimes, merge: true, uniqueKeys: false }).map(
    (document) => {
      const [error] = document.errors;
      if (error !== undefined)
        throw new SourceError(`error converting YAML to JSON: yaml: ${error.message.split('\n', 1)[0]}`);
      return document.toJS({ maxAliasCount: 100 }) as unknown;
    },
  );
}

function withoutTimes(tags: Tags): Tags {
  return tags.filter(
    (tag) =>
      typeof tag === 'string' || (!('format' in tag && tag.format === 'TIME') && !tag.tag.endsWith(':timestamp')),
  );
}

/** The objects of a text, lists taken apart. Throws where something in it is no object of Kubernetes. */
export function parseManifests(text: string): KubeObject[] {
  return readYaml(text)
    .filter((value) => value !== null && value !== undefined)
    .flatMap(takeApart);
}

function takeApart(value: unknown): KubeObject[] {
  if (!isFields(value)) throw new SourceError('Failed to unmarshal manifest: not an object');
  const { apiVersion, kind, metadata, items } = value;
  if (typeof kind !== 'string' || kind === '') throw missing('Kind', value);
  if (typeof apiVersion !== 'string' || apiVersion === '') throw missing('apiVersion', value);
  if (kind.endsWith('List') && Array.isArray(items)) return items.flatMap(takeApart);
  const name = isFields(metadata) ? metadata['name'] : undefined;
  if (typeof name !== 'string' || name === '')
    throw new SourceError(
      `${apiVersion} ${kind} has no metadata.name: objects with a generated name are not supported here`,
    );
  return [{ ...value, apiVersion, kind, metadata: { ...(metadata as object), name } }];
}

function missing(what: string, value: unknown): SourceError {
  return new SourceError(`Object '${what}' is missing in '${JSON.stringify(value).slice(0, 200)}'`);
}
