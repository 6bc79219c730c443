import type { FieldError } from '../../status-error.ts';
import { duplicateValue, invalidValue, missingReference, requiredValue, unsupportedValue } from './field-errors.ts';
import { type Fields, fieldsAt, hasField, listAt, numberAt, textAt, valueAt } from './fields.ts';
import { dnsLabel, portName } from './text-rules.ts';
import { validateProbe } from './validate-probe.ts';
import { validateResources } from './validate-resources.ts';

export const protocols = ['SCTP', 'TCP', 'UDP'];

/** The parts of a pod specification that a person gets wrong; the README lists what is not looked at. */
export function validatePodSpec(spec: unknown, field: string): FieldError[] {
  const volumes = listAt(spec, 'volumes');
  const volumeNames = new Set(volumes.map((volume) => textAt(volume, 'name')));
  const containers = listAt(spec, 'containers');
  const said = validateVolumes(volumes, `${field}.volumes`);
  if (containers.length === 0) said.push(requiredValue(`${field}.containers`));
  const names = new Set<string>();
  for (const list of ['containers', 'initContainers']) {
    for (const [index, container] of listAt(spec, list).entries()) {
      said.push(...validateContainer(container, `${field}.${list}[${index}]`, names, volumeNames));
    }
  }
  return [
    ...said,
    ...oneOf(spec, field, 'restartPolicy', ['Always', 'OnFailure', 'Never']),
    ...oneOf(spec, field, 'dnsPolicy', ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']),
  ];
}

function oneOf(spec: unknown, field: string, name: string, supported: readonly string[]): FieldError[] {
  const value = textAt(spec, name);
  return supported.includes(value) ? [] : [unsupportedValue(`${field}.${name}`, value, supported)];
}

function validateVolumes(volumes: readonly unknown[], field: string): FieldError[] {
  const seen = new Set<string>();
  return volumes.flatMap((volume, index) => {
    const at = `${field}[${index}]`;
    const name = textAt(volume, 'name');
    const said: FieldError[] = [];
    if (valueAt(volume, 'configMap') !== undefined && textAt(volume, 'configMap', 'name') === '') {
      said.push(requiredValue(`${at}.configMap.name`));
    }
    if (valueAt(volume, 'secret') !== undefined && textAt(volume, 'secret', 'secretName') === '') {
      said.push(requiredValue(`${at}.secret.secretName`));
    }
    if (name === '') said.push(requiredValue(`${at}.name`));
    else said.push(...dnsLabel(name).map((words) => invalidValue(`${at}.name`, name, words)));
    if (seen.has(name)) said.push(duplicateValue(`${at}.name`, name));
    seen.add(name);
    return said;
  });
}

function validateContainer(
  container: unknown,
  field: string,
  names: Set<string>,
  volumes: ReadonlySet<string>,
): FieldError[] {
  const said: FieldError[] = [];
  const name = textAt(container, 'name');
  if (name === '') said.push(requiredValue(`${field}.name`));
  else said.push(...dnsLabel(name).map((words) => invalidValue(`${field}.name`, name, words)));
  if (names.has(name)) said.push(duplicateValue(`${field}.name`, name));
  names.add(name);
  if (textAt(container, 'image') === '') said.push(requiredValue(`${field}.image`));
  const policies = ['Always', 'IfNotPresent', 'Never'];
  return [
    ...said,
    ...validatePorts(listAt(container, 'ports'), `${field}.ports`),
    ...listAt(container, 'env').flatMap((variable, index) => validateVariable(variable, `${field}.env[${index}]`)),
    ...validateMounts(listAt(container, 'volumeMounts'), `${field}.volumeMounts`, volumes),
    ...['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((probe) =>
      validateProbe(valueAt(container, probe), `${field}.${probe}`),
    ),
    ...oneOf(container, field, 'imagePullPolicy', policies),
    ...validateResources(fieldsAt(container, 'resources'), `${field}.resources`),
  ];
}

function validatePorts(ports: readonly unknown[], field: string): FieldError[] {
  const seen = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = `${field}[${index}]`;
    const said: FieldError[] = [];
    const name = textAt(port, 'name');
    if (name !== '') {
      const wrong = portName(name)[0];
      if (wrong !== undefined) said.push(invalidValue(`${at}.name`, name, wrong));
      else if (seen.has(name)) said.push(duplicateValue(`${at}.name`, name));
      seen.add(name);
    }
    const number = numberAt(port, 'containerPort');
    if (number === 0) said.push(requiredValue(`${at}.containerPort`));
    else if (number < 1 || number > 65_535) {
      said.push(invalidValue(`${at}.containerPort`, number, 'must be between 1 and 65535, inclusive'));
    }
    return [...said, ...oneOf(port, at, 'protocol', protocols)];
  });
}

const sources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];

function validateVariable(variable: unknown, field: string): FieldError[] {
  const name = textAt(variable, 'name');
  const said: FieldError[] = [];
  if (name === '') said.push(requiredValue(`${field}.name`));
  else if (!/^[ -<>-~]+$/.test(name)) {
    const words = "a valid environment variable name must consist only of printable ASCII characters other than '='";
    said.push(invalidValue(`${field}.name`, name, words));
  }
  const from = valueAt(variable, 'valueFrom');
  if (from === undefined || from === null) return said;
  const given = sources.filter((source) => hasField(from as Fields, source));
  const at = `${field}.valueFrom`;
  if (given.length === 0) {
    const words =
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    said.push(invalidValue(at, '', words));
  } else if (textAt(variable, 'value') !== '') {
    said.push(invalidValue(at, '', 'may not be specified when `value` is not empty'));
  } else if (given.length > 1) said.push(invalidValue(at, '', 'may not have more than one field specified at a time'));
  for (const source of ['configMapKeyRef', 'secretKeyRef']) {
    if (given.includes(source) && textAt(from, source, 'key') === '') said.push(requiredValue(`${at}.${source}.key`));
  }
  return said;
}

function validateMounts(mounts: readonly unknown[], field: string, volumes: ReadonlySet<string>): FieldError[] {
  const paths = new Set<string>();
  return mounts.flatMap((mount, index) => {
    const at = `${field}[${index}]`;
    const name = textAt(mount, 'name');
    const path = textAt(mount, 'mountPath');
    const said: FieldError[] = [];
    if (name === '') said.push(requiredValue(`${at}.name`));
    else if (!volumes.has(name)) said.push(missingReference(`${at}.name`, name));
    if (path === '') said.push(requiredValue(`${at}.mountPath`));
    else if (paths.has(path)) said.push(invalidValue(`${at}.mountPath`, path, 'must be unique'));
    paths.add(path);
    return said;
  });
}
