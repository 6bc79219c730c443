import type { ApiObject } from '../../api-object.ts';
import type { FieldError } from '../../status-error.ts';
import type { KindRules } from '../served-kind.ts';
import { forbiddenValue, invalidValue, requiredValue, tooLong } from './field-errors.ts';
import { fieldsAt, isSame, listAt, openFields, setDefault, textAt, valueAt } from './fields.ts';
import { settleQuantities } from './pod-defaults.ts';
import { parseQuantity } from './quantity.ts';
import { configKey, qualifiedName } from './text-rules.ts';
import { notNegative } from './validate-resources.ts';

const nameLabel = 'kubernetes.io/metadata.name';
const largest = 1_048_576;

function labelWithName(object: ApiObject): void {
  const { name = '' } = object.metadata;
  if (name !== '') object.metadata.labels = { ...object.metadata.labels, [nameLabel]: name };
}

export const namespaceRules: KindRules = {
  setDefaults: labelWithName,
  prepareCreate(object) {
    labelWithName(object);
    const spec = openFields(object, 'spec');
    const given = listAt(spec, 'finalizers');
    spec['finalizers'] = given.includes('kubernetes') ? given : [...given, 'kubernetes'];
    object['status'] = { phase: 'Active' };
  },
  prepareUpdate(object, old) {
    labelWithName(object);
    // Only the finalize endpoint changes these.
    object['spec'] = old['spec'];
  },
  validate(object) {
    return listAt(object, 'spec', 'finalizers')
      .map(String)
      .flatMap((name) => {
        const said = qualifiedName(name).map((words) => invalidValue('spec.finalizers', name, words));
        const isKnown = name.includes('/') || name === 'kubernetes';
        const words = 'name is neither a standard finalizer name nor is it fully qualified';
        return isKnown ? said : [...said, invalidValue('spec.finalizers', name, words)];
      });
  },
};

function validateKeys(data: unknown, list: string): FieldError[] {
  return Object.keys(fieldsAt(data, list)).flatMap((key) =>
    configKey(key).map((words) => invalidValue(`${list}[${key}]`, key, words)),
  );
}

function sizeOf(map: object, bytes: (value: unknown) => number): number {
  return Object.entries(map).reduce((sum, [, value]) => sum + bytes(value), 0);
}

const textBytes = (value: unknown) => Buffer.byteLength(String(value));
const decodedBytes = (value: unknown) => Buffer.byteLength(String(value), 'base64');

/** Once `immutable` is set neither it nor the contents change again. */
function validateImmutable(object: ApiObject, old: ApiObject | undefined, contents: readonly string[]): FieldError[] {
  if (old?.['immutable'] !== true) return [];
  const words = 'field is immutable when `immutable` is set';
  const isKept = object['immutable'] === true;
  return [
    ...(isKept ? [] : [forbiddenValue('immutable', words)]),
    ...contents
      .filter((name) => !isSame(object[name] ?? {}, old[name] ?? {}))
      .map((name) => forbiddenValue(name, words)),
  ];
}

export const configMapRules: KindRules = {
  validate(object, old) {
    const data = fieldsAt(object, 'data');
    const binary = fieldsAt(object, 'binaryData');
    const said = [...validateKeys(object, 'data')];
    for (const key of Object.keys(data)) {
      if (key in binary) said.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    }
    said.push(...validateKeys(object, 'binaryData'));
    if (sizeOf(data, textBytes) + sizeOf(binary, decodedBytes) > largest) said.push(tooLong('[]', largest));
    return [...said, ...validateImmutable(object, old, ['data', 'binaryData'])];
  },
};

const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
};

function validateSecretType(object: ApiObject): FieldError[] {
  const type = textAt(object, 'type');
  const data = fieldsAt(object, 'data');
  if (type === 'kubernetes.io/service-account-token') {
    const annotation = 'kubernetes.io/service-account.name';
    const isNamed = (object.metadata.annotations?.[annotation] ?? '') !== '';
    return isNamed ? [] : [requiredValue(`metadata.annotations[${annotation}]`)];
  }
  if (type === 'kubernetes.io/basic-auth') {
    const isGiven = 'username' in data || 'password' in data;
    return isGiven ? [] : ['username', 'password'].map((key) => requiredValue(`data[${key}]`));
  }
  const missing = (requiredKeys[type] ?? [])
    .filter((key) => !(key in data))
    .map((key) => requiredValue(`data[${key}]`));
  if (missing.length > 0 || !type.startsWith('kubernetes.io/docker')) return missing;
  const key = requiredKeys[type]?.[0] ?? '';
  const text = Buffer.from(String(data[key]), 'base64').toString();
  try {
    JSON.parse(text);
    return [];
  } catch {
    const words =
      text === ''
        ? 'unexpected end of JSON input'
        : `invalid character '${text.charAt(0)}' looking for beginning of value`;
    return [invalidValue(`data[${key}]`, '<secret contents redacted>', words)];
  }
}

export const secretRules: KindRules = {
  setDefaults(object) {
    const given = fieldsAt(object, 'stringData');
    if (Object.keys(given).length > 0) {
      const data = openFields(object, 'data');
      for (const [key, text] of Object.entries(given)) data[key] = Buffer.from(String(text)).toString('base64');
    }
    delete object['stringData'];
    if (textAt(object, 'type') === '') object['type'] = 'Opaque';
  },
  prepareUpdate(object, old) {
    if (textAt(object, 'type') === '') object['type'] = old['type'];
  },
  validate(object, old) {
    const said = validateKeys(object, 'data');
    if (sizeOf(fieldsAt(object, 'data'), decodedBytes) > largest) said.push(tooLong('data', largest));
    said.push(...validateSecretType(object));
    if (old !== undefined && object['type'] !== old['type']) {
      said.push(invalidValue('type', object['type'], 'field is immutable'));
    }
    return [...said, ...validateImmutable(object, old, ['data'])];
  },
};

export const eventRules: KindRules = {
  setDefaults(object) {
    for (const name of ['firstTimestamp', 'lastTimestamp', 'eventTime']) object[name] ??= null;
    setDefault(object, 'reportingComponent', '');
    setDefault(object, 'reportingInstance', '');
    setDefault(object, 'source', {});
  },
  validate(object) {
    const { namespace = '' } = object.metadata;
    const target = textAt(object, 'involvedObject', 'namespace');
    const isClusterWide = target === '' && ['', 'default', 'kube-system'].includes(namespace);
    if (target === namespace || isClusterWide) return [];
    return [invalidValue('involvedObject.namespace', target, 'does not match event.namespace')];
  },
};

const countable =
  /^(pods|services|secrets|configmaps|persistentvolumeclaims|replicationcontrollers|resourcequotas|services\..*|count\/.*)$/;
const measurable =
  /^((requests\.|limits\.)?(cpu|memory|storage|ephemeral-storage)|.*\/.*|requests\.hugepages-.*|hugepages-.*)$/;

export const resourceQuotaRules: KindRules = {
  setDefaults(object) {
    settleQuantities(openFields(object, 'spec'), 'hard');
  },
  prepareCreate(object) {
    object['status'] = {};
  },
  validate(object) {
    return Object.entries(fieldsAt(object, 'spec', 'hard')).flatMap(([name, quantity]) => {
      const field = `spec.hard[${name}]`;
      const said: FieldError[] = [];
      if (!countable.test(name) && !measurable.test(name)) {
        said.push(invalidValue(field, name, 'must be a standard resource type or fully qualified'));
        said.push(invalidValue(field, name, 'must be a standard resource for quota'));
      }
      said.push(...notNegative(quantity, field));
      const nanos = parseQuantity(String(quantity))?.nanos ?? 0n;
      if (countable.test(name) && nanos % 1_000_000_000n !== 0n) {
        said.push(invalidValue(field, String(quantity), 'must be an integer'));
      }
      return said;
    });
  },
};

export const limitRangeRules: KindRules = {
  setDefaults(object) {
    for (const limit of listAt(object, 'spec', 'limits') as readonly Record<string, unknown>[]) {
      settleQuantities(limit, 'default', 'defaultRequest', 'max', 'min', 'maxLimitRequestRatio');
      const isForContainers = limit['type'] === 'Container' && valueAt(limit, 'default') !== undefined;
      if (isForContainers)
        limit['defaultRequest'] = { ...fieldsAt(limit, 'default'), ...fieldsAt(limit, 'defaultRequest') };
    }
  },
};
