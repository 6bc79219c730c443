import type { ObjectMeta, OwnerReference } from '../../api-object.ts';
import type { FieldError } from '../../status-error.ts';
import { forbiddenValue, invalidValue, requiredValue, tooLong } from './field-errors.ts';
import type { NameRule } from './name-rules.ts';
import { dnsLabel, labelValue, qualifiedName } from './text-rules.ts';

const annotationsLimit = 256 * 1024;

interface MetadataRules {
  readonly namespaced: boolean;
  readonly nameRule: NameRule;
  /** Finalizers of a built-in kind must name a domain; for a custom kind that is only good manners. */
  readonly isBuiltIn?: boolean;
  /** Present for an update. */
  readonly old?: ObjectMeta;
}

/** What is wrong with an object's metadata, after a name has been generated. */
export function validateMetadata(metadata: ObjectMeta, rules: MetadataRules): FieldError[] {
  const { namespaced, nameRule, old, isBuiltIn = false } = rules;
  return [
    ...checkNames(metadata, nameRule),
    ...checkNamespace(metadata, namespaced),
    ...validateLabels(metadata.labels, 'metadata.labels'),
    ...checkAnnotations(metadata.annotations ?? {}),
    ...checkOwners(metadata.ownerReferences ?? []),
    ...checkFinalizers(metadata.finalizers ?? [], isBuiltIn),
    ...(old === undefined ? [] : checkUpdate(metadata, old)),
  ];
}

function checkNames({ name = '', generateName = '' }: ObjectMeta, nameRule: NameRule): FieldError[] {
  const prefix = generateName === '' ? [] : nameRule(generateName, true);
  const said = prefix.map((words) => invalidValue('metadata.generateName', generateName, words));
  if (name === '') return [...said, requiredValue('metadata.name', 'name or generateName is required')];
  return [...said, ...nameRule(name, false).map((words) => invalidValue('metadata.name', name, words))];
}

function checkNamespace({ namespace = '' }: ObjectMeta, namespaced: boolean): FieldError[] {
  if (!namespaced) return namespace === '' ? [] : [forbiddenValue('metadata.namespace', 'not allowed on this type')];
  if (namespace === '') return [requiredValue('metadata.namespace')];
  return dnsLabel(namespace).map((words) => invalidValue('metadata.namespace', namespace, words));
}

export function validateLabels(labels: Readonly<Record<string, string>> | undefined, field: string): FieldError[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...qualifiedName(key).map((words) => invalidValue(field, key, words)),
    ...labelValue(value).map((words) => invalidValue(field, value, words)),
  ]);
}

function checkAnnotations(annotations: Readonly<Record<string, string>>): FieldError[] {
  const field = 'metadata.annotations';
  const said = Object.keys(annotations).flatMap((key) =>
    qualifiedName(key.toLowerCase()).map((words) => invalidValue(field, key, words)),
  );
  const size = Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  return size > annotationsLimit ? [...said, tooLong(field, annotationsLimit)] : said;
}

function checkOwners(owners: readonly OwnerReference[]): FieldError[] {
  const field = 'metadata.ownerReferences';
  let controller = '';
  return owners.flatMap((owner) => {
    const said: FieldError[] = [];
    const version = owner.apiVersion?.split('/').at(-1) ?? '';
    if (version === '')
      said.push(invalidValue(`${field}.apiVersion`, owner.apiVersion ?? '', 'version must not be empty'));
    for (const name of ['kind', 'name', 'uid'] as const) {
      if ((owner[name] ?? '') === '') said.push(invalidValue(`${field}.${name}`, '', 'must not be empty'));
    }
    if (owner.apiVersion === 'v1' && owner.kind === 'Event') {
      said.push(invalidValue(field, owner, '/v1, Kind=Event is disallowed from being an owner'));
    }
    if (owner.controller === true) {
      const named = `${owner.kind}/${owner.name}`;
      const words = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${named}`;
      if (controller === '') controller = named;
      else said.push(invalidValue(field, owners, words));
    }
    return said;
  });
}

const standardFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion'];

function checkFinalizers(finalizers: readonly string[], isBuiltIn: boolean): FieldError[] {
  const field = 'metadata.finalizers';
  const said = finalizers.flatMap((name) => qualifiedName(name).map((words) => invalidValue(field, name, words)));
  for (const [index, name] of isBuiltIn ? finalizers.entries() : []) {
    if (name.includes('/') || standardFinalizers.includes(name)) continue;
    const words = 'name is neither a standard finalizer name nor is it fully qualified';
    said.push(invalidValue(`${field}[${index}]`, name, words));
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    said.push(invalidValue(field, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return said;
}

function checkUpdate(metadata: ObjectMeta, old: ObjectMeta): FieldError[] {
  const said: FieldError[] = [];
  if (old.deletionTimestamp !== undefined) {
    const known = new Set(old.finalizers ?? []);
    const added = [...new Set(metadata.finalizers ?? [])].filter((name) => !known.has(name)).sort();
    const listed = added.map((name) => JSON.stringify(name)).join(', ');
    const words = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${listed}}`;
    if (added.length > 0) said.push(forbiddenValue('metadata.finalizers', words));
  }
  for (const name of ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp'] as const) {
    if (metadata[name] !== old[name]) {
      said.push(invalidValue(`metadata.${name}`, metadata[name] ?? '', 'field is immutable'));
    }
  }
  return said;
}
