import type { ApiObject } from '../../api-object.ts';
import type { FieldError } from '../../status-error.ts';
import type { KindRules } from '../served-kind.ts';
import { defaultClaim } from './claim-rules.ts';
import { forbiddenValue, invalidValue, requiredValue, unsupportedValue } from './field-errors.ts';
import {
  type Fields,
  fieldsAt,
  isSame,
  listAt,
  numberAt,
  openFields,
  setDefault,
  textAt,
  textsAt,
  valueAt,
} from './fields.ts';
import { isEmptySelector, selects, validateSelector } from './label-selector.ts';
import { defaultPodTemplate } from './pod-defaults.ts';
import { validateLabels } from './validate-metadata.ts';
import { validatePodSpec } from './validate-pod-spec.ts';
import { validateRollingUpdate } from './validate-rolling-update.ts';

function defaultWorkload(object: ApiObject): Fields {
  const spec = openFields(object, 'spec');
  defaultPodTemplate(spec);
  return spec;
}

export function notBelowZero(owner: unknown, field: string, ...names: readonly string[]): FieldError[] {
  return names
    .filter((name) => numberAt(owner, name) < 0)
    .map((name) => invalidValue(`${field}.${name}`, numberAt(owner, name), 'must be greater than or equal to 0'));
}

/** The selector, whether it means the template's own labels, and the template. */
function validateSelection(object: ApiObject, kind: string): FieldError[] {
  const spec = fieldsAt(object, 'spec');
  const selector = valueAt(spec, 'selector');
  const labels = textsAt(spec, 'template', 'metadata', 'labels');
  const wrong = validateSelector(selector, 'spec.selector');
  const said = [...wrong];
  const isGiven = selector !== undefined;
  if (!isGiven) said.push(requiredValue('spec.selector'));
  else if (isEmptySelector(selector)) {
    said.push(invalidValue('spec.selector', {}, `empty selector is invalid for ${kind}`));
  } else if (wrong.length > 0) said.push(invalidValue('spec.selector', selector, 'invalid label selector'));
  if (wrong.length === 0 && !(isGiven && isEmptySelector(selector)) && !selects(selector, labels)) {
    const shown = valueAt(spec, 'template', 'metadata', 'labels') ?? null;
    said.push(invalidValue('spec.template.metadata.labels', shown, '`selector` does not match template `labels`'));
  }
  return said;
}

export function validateTemplate(spec: unknown, field: string): FieldError[] {
  return [
    ...validateLabels(textsAt(spec, 'template', 'metadata', 'labels'), `${field}.template.labels`),
    ...validatePodSpec(fieldsAt(spec, 'template', 'spec'), `${field}.template.spec`),
  ];
}

function alwaysRestarts(object: ApiObject): FieldError[] {
  const policy = textAt(object, 'spec', 'template', 'spec', 'restartPolicy');
  if (policy === 'Always') return [];
  return [unsupportedValue('spec.template.spec.restartPolicy', policy, ['Always'])];
}

function sameSelector(object: ApiObject, old: ApiObject | undefined): FieldError[] {
  const selector = valueAt(object, 'spec', 'selector');
  if (old === undefined || isSame(selector, valueAt(old, 'spec', 'selector'))) return [];
  return [invalidValue('spec.selector', selector, 'field is immutable')];
}

export const deploymentRules: KindRules = {
  setDefaults(object) {
    const spec = defaultWorkload(object);
    setDefault(spec, 'replicas', 1);
    const strategy = openFields(spec, 'strategy');
    setDefault(strategy, 'type', 'RollingUpdate');
    if (strategy['type'] === 'RollingUpdate') {
      const rolling = openFields(strategy, 'rollingUpdate');
      setDefault(rolling, 'maxUnavailable', '25%');
      setDefault(rolling, 'maxSurge', '25%');
    }
    setDefault(spec, 'revisionHistoryLimit', 10);
    setDefault(spec, 'progressDeadlineSeconds', 600);
  },
  prepareCreate(object) {
    object['status'] = {};
  },
  validate(object, old) {
    const spec = fieldsAt(object, 'spec');
    const deadline = numberAt(spec, 'progressDeadlineSeconds');
    const isShort = deadline <= numberAt(spec, 'minReadySeconds');
    return [
      ...notBelowZero(spec, 'spec', 'replicas'),
      ...validateSelection(object, 'deployment'),
      ...validateTemplate(spec, 'spec'),
      ...alwaysRestarts(object),
      ...validateRollingUpdate(fieldsAt(spec, 'strategy'), 'spec.strategy'),
      ...notBelowZero(spec, 'spec', 'minReadySeconds', 'revisionHistoryLimit'),
      ...(isShort
        ? [invalidValue('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')]
        : []),
      ...sameSelector(object, old),
    ];
  },
};

export const replicaSetRules: KindRules = {
  setDefaults(object) {
    setDefault(defaultWorkload(object), 'replicas', 1);
  },
  prepareCreate(object) {
    object['status'] = { replicas: 0 };
  },
  validate(object, old) {
    const spec = fieldsAt(object, 'spec');
    return [
      ...notBelowZero(spec, 'spec', 'replicas', 'minReadySeconds'),
      ...validateSelection(object, 'replicaset'),
      ...validateTemplate(spec, 'spec'),
      ...alwaysRestarts(object),
      ...sameSelector(object, old),
    ];
  },
};

const changeable = ['replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit'];
const alsoChangeable = ['persistentVolumeClaimRetentionPolicy', 'minReadySeconds'];

function lasting(object: ApiObject): Fields {
  const { ...spec } = fieldsAt(object, 'spec');
  for (const name of [...changeable, ...alsoChangeable]) delete spec[name];
  return spec;
}

export const statefulSetRules: KindRules = {
  setDefaults(object) {
    const spec = defaultWorkload(object);
    setDefault(spec, 'replicas', 1);
    setDefault(spec, 'podManagementPolicy', 'OrderedReady');
    setDefault(spec, 'revisionHistoryLimit', 10);
    const strategy = openFields(spec, 'updateStrategy');
    setDefault(strategy, 'type', 'RollingUpdate');
    if (strategy['type'] === 'RollingUpdate') setDefault(openFields(strategy, 'rollingUpdate'), 'partition', 0);
    const retention = openFields(spec, 'persistentVolumeClaimRetentionPolicy');
    setDefault(retention, 'whenDeleted', 'Retain');
    setDefault(retention, 'whenScaled', 'Retain');
    for (const claim of listAt(spec, 'volumeClaimTemplates') as readonly Fields[]) {
      setDefault(claim, 'apiVersion', 'v1');
      setDefault(claim, 'kind', 'PersistentVolumeClaim');
      defaultClaim(claim);
      claim['status'] = { phase: 'Pending' };
    }
  },
  prepareCreate(object) {
    object['status'] = { replicas: 0, availableReplicas: 0 };
  },
  validate(object, old) {
    const spec = fieldsAt(object, 'spec');
    const named = changeable.map((name) => `'${name}'`).join(', ');
    const words = `updates to statefulset spec for fields other than ${named}, 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden`;
    return [
      ...notBelowZero(spec, 'spec', 'replicas', 'minReadySeconds'),
      ...validateSelection(object, 'statefulset'),
      ...validateTemplate(spec, 'spec'),
      ...alwaysRestarts(object),
      ...(old !== undefined && !isSame(lasting(object), lasting(old)) ? [forbiddenValue('spec', words)] : []),
    ];
  },
};
