import { sameJson } from '../same-json.ts';
import type { FieldError } from '../status-error.ts';
import { checkCrdSchema } from './crd/check-crd-schema.ts';
import { forbiddenValue, invalidValue, invalidWithoutValue, requiredValue, unsupportedValue } from './field-errors.ts';
import { isPlainObject, type PlainObject } from './plain-object.ts';
import type { Schema } from './schema.ts';

const labelForm =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const domainForm =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** What is wrong with a CustomResourceDefinition; with an old one, also what may not change. */
export function checkCrd(crd: unknown, old?: unknown): FieldError[] {
  const { metadata, spec } = objectOf(crd);
  const errors: FieldError[] = [];
  const { group = '', scope = '', names, versions } = objectOf(spec);
  const { plural = '' } = objectOf(names);
  const { name = '' } = objectOf(metadata);
  if (name !== '' && name !== `${plural}.${group}`) {
    errors.push(invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group'));
  }
  errors.push(...checkGroup(group));
  const scopes = ['Cluster', 'Namespaced'];
  if (scope === '') errors.push(requiredValue('spec.scope'));
  else if (!scopes.includes(String(scope))) errors.push(unsupportedValue('spec.scope', scope, scopes));
  errors.push(...checkVersions(Array.isArray(versions) ? versions.map(objectOf) : []));
  errors.push(...checkNames(objectOf(names)));
  errors.push(...checkConversion(objectOf(spec)));
  if (objectOf(spec)['preserveUnknownFields'] === true) {
    const instead =
      'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
    errors.push(invalidValue('spec.preserveUnknownFields', true, instead));
  }
  if (old !== undefined) errors.push(...checkFixed(objectOf(spec), objectOf(old)));
  return errors;
}

function objectOf(value: unknown): PlainObject {
  return isPlainObject(value) ? value : {};
}

function checkGroup(group: unknown): FieldError[] {
  if (typeof group !== 'string' || group === '') return [requiredValue('spec.group')];
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(group)) {
    return [invalidValue('spec.group', group, domainForm)];
  }
  return group.includes('.') ? [] : [invalidValue('spec.group', group, 'should be a domain with at least one dot')];
}

function isLabel(text: string): boolean {
  return text.length <= 63 && /^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(text);
}

function checkNames(names: PlainObject): FieldError[] {
  const errors: FieldError[] = [];
  const { kind, listKind } = names;
  for (const key of ['plural', 'singular', 'kind', 'listKind']) {
    if (typeof names[key] !== 'string' || names[key] === '') errors.push(requiredValue(`spec.names.${key}`));
  }
  for (const key of ['plural', 'singular']) {
    const value = names[key];
    if (typeof value === 'string' && value !== '' && !isLabel(value)) {
      errors.push(invalidValue(`spec.names.${key}`, value, labelForm));
    }
  }
  for (const key of ['kind', 'listKind']) {
    const value = names[key];
    if (typeof value === 'string' && value !== '' && !isLabel(value.toLowerCase())) {
      const detail = `may have mixed case, but should otherwise match: ${labelForm}`;
      errors.push(invalidValue(`spec.names.${key}`, value, detail));
    }
  }
  for (const key of ['shortNames', 'categories']) {
    const values: unknown[] = Array.isArray(names[key]) ? names[key] : [];
    for (const [index, value] of values.entries()) {
      if (!isLabel(String(value))) errors.push(invalidValue(`spec.names.${key}[${index}]`, value, labelForm));
    }
  }
  if (kind !== undefined && kind !== '' && kind === listKind) {
    errors.push(invalidValue('spec.names.listKind', listKind, 'kind and listKind may not be the same'));
  }
  return errors;
}

/** Where all versions have the same schema, columns and so on, the real server reports them once, under other names. */
function checkVersions(versions: readonly PlainObject[]): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, version] of versions.entries()) {
    const { name } = version;
    if (typeof name !== 'string' || !isLabel(name)) {
      errors.push(invalidValue(`spec.versions[${index}].name`, name ?? '', labelForm));
      if (index === 0) errors.push(invalidValue('spec.version', name ?? '', labelForm));
    }
  }
  const isShared = (key: string) => versions.every((each) => sameJson(each[key], versions[0]?.[key]));
  for (const [key, shared, own, check] of parts) {
    for (const [index, version] of versions.entries()) {
      if (isShared(key) && index > 0) break;
      errors.push(...check(version[key], isShared(key) ? shared : `spec.versions[${index}].${own}`));
    }
  }
  const names = versions.map(({ name }) => name);
  if (new Set(names).size < names.length) {
    errors.push(invalidValue('spec.versions', versions, 'must contain unique version names'));
  }
  const stored = versions.filter(({ storage }) => storage === true).length;
  if (stored !== 1) {
    const detail = 'must have exactly one version marked as storage version';
    errors.push(invalidWithoutValue('spec.versions', `${printed(versions)}: ${detail}`));
  }
  if (stored === 0) errors.push(invalidValue('status.storedVersions', null, 'must have at least one stored version'));
  return errors;
}

/** As the real server prints versions whose schemas, columns and so on it keeps elsewhere. */
function printed(versions: readonly PlainObject[]): string {
  const each = versions.map(({ name, served, storage, deprecated, deprecationWarning }) =>
    [
      ['Name', name ?? ''],
      ['Served', served ?? false],
      ['Storage', storage ?? false],
      ['Deprecated', deprecated ?? false],
      ['DeprecationWarning', deprecationWarning ?? null],
      ...['Schema', 'Subresources', 'AdditionalPrinterColumns', 'SelectableFields'].map((key) => [key, null]),
    ]
      .map(([key, value]) => `"${key}":${JSON.stringify(value)}`)
      .join(','),
  );
  return `[${each.map((text) => `{${text}}`).join(',')}]`;
}

const parts: readonly [key: string, shared: string, own: string, (value: unknown, path: string) => FieldError[]][] = [
  ['schema', 'spec.validation', 'schema', checkSchema],
  ['additionalPrinterColumns', 'spec.additionalPrinterColumns', 'additionalPrinterColumns', checkColumns],
  ['subresources', 'spec.subresources', 'subresources', checkSubresources],
];

function checkSchema(value: unknown, path: string): FieldError[] {
  const { openAPIV3Schema: schema } = objectOf(value);
  // Without a schema the place is named by the version, even where there is only one.
  if (!isPlainObject(schema)) {
    return [requiredValue(`${path === 'spec.validation' ? 'spec.versions[0].schema' : path}.openAPIV3Schema`)];
  }
  return checkCrdSchema(schema as Schema, `${path}.openAPIV3Schema`);
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];

function checkColumns(value: unknown, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const columns: unknown[] = Array.isArray(value) ? value : [];
  for (const [index, column] of columns.entries()) {
    const { name, type, jsonPath } = objectOf(column);
    const at = `${path}[${index}]`;
    const choice = `must be one of ${columnTypes.join(',')}`;
    if (!name) errors.push(requiredValue(`${at}.name`));
    if (!type) errors.push(requiredValue(`${at}.type`, choice));
    else if (!columnTypes.includes(String(type))) errors.push(invalidValue(`${at}.type`, type, choice));
    if (!jsonPath) errors.push(requiredValue(`${at}.JSONPath`));
    else if (!String(jsonPath).startsWith('.')) {
      errors.push(invalidValue(`${at}.JSONPath`, jsonPath, 'must be a simple json path starting with .'));
    }
  }
  return errors;
}

function checkSubresources(value: unknown, path: string): FieldError[] {
  const { scale } = objectOf(value);
  if (scale === undefined) return [];
  const errors: FieldError[] = [];
  for (const [key, root] of [
    ['specReplicasPath', '.spec'],
    ['statusReplicasPath', '.status'],
  ] as const) {
    const text = objectOf(scale)[key];
    if (!text) errors.push(requiredValue(`${path}.scale.${key}`));
    else if (!String(text).startsWith(`${root}.`)) {
      errors.push(invalidValue(`${path}.scale.${key}`, text, `should be a json path under ${root}`));
    }
  }
  return errors;
}

/** Between versions the stand-in changes nothing but the name. */
function checkConversion({ conversion }: PlainObject): FieldError[] {
  const { strategy } = objectOf(conversion);
  if (strategy === undefined || strategy === 'None') return [];
  if (strategy !== 'Webhook') return [unsupportedValue('spec.conversion.strategy', strategy, ['None', 'Webhook'])];
  const detail = 'conversion by webhook is not supported by the embedded API server, a development stand-in';
  return [forbiddenValue('spec.conversion.strategy', detail)];
}

function checkFixed(spec: PlainObject, old: PlainObject): FieldError[] {
  const before = objectOf(old['spec']);
  const fixed: [string, unknown, unknown][] = [
    ['spec.scope', spec['scope'], before['scope']],
    ['spec.names.kind', objectOf(spec['names'])['kind'], objectOf(before['names'])['kind']],
    ['spec.group', spec['group'], before['group']],
    ['spec.names.plural', objectOf(spec['names'])['plural'], objectOf(before['names'])['plural']],
  ];
  return fixed
    .filter(([, now, then]) => now !== then)
    .map(([field, now]) => invalidValue(field, now, 'field is immutable'));
}
