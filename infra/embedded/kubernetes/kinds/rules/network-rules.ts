import { isIP } from 'node:net';
import type { FieldError } from '../../status-error.ts';
import type { KindRules } from '../served-kind.ts';
import { invalidValue, requiredValue, unsupportedValue } from './field-errors.ts';
import { type Fields, fieldsAt, hasField, listAt, openFields, setDefault, textAt, valueAt } from './fields.ts';
import { validateSelector } from './label-selector.ts';
import { dnsSubdomain } from './text-rules.ts';

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];

function validateHost(host: string, field: string): FieldError[] {
  if (host === '') return [];
  if (isIP(host) !== 0) return [invalidValue(field, host, 'must be a DNS name, not an IP address')];
  const name = host.startsWith('*.') ? host.slice(2) : host;
  return dnsSubdomain(name).map((words) => invalidValue(field, host, words));
}

function validateBackend(backend: unknown, field: string): FieldError[] {
  const fields = fieldsAt(backend);
  if (!hasField(fields, 'service') && !hasField(fields, 'resource')) {
    return [invalidValue(field, '', 'resource or service backend is required')];
  }
  if (!hasField(fields, 'service')) return [];
  const service = fieldsAt(fields, 'service');
  if (textAt(service, 'name') === '') return [requiredValue(`${field}.service.name`)];
  const port = fieldsAt(service, 'port');
  const hasPort = hasField(port, 'number') || textAt(port, 'name') !== '';
  return hasPort ? [] : [requiredValue(field, 'port name or number is required')];
}

function validatePath(path: unknown, field: string): FieldError[] {
  const said: FieldError[] = [];
  const type = valueAt(path, 'pathType');
  const text = textAt(path, 'path');
  if (type === undefined) said.push(requiredValue(`${field}.pathType`, 'pathType must be specified'));
  else if (!pathTypes.includes(String(type))) said.push(unsupportedValue(`${field}.pathType`, type, pathTypes));
  else if (type !== 'ImplementationSpecific' && !text.startsWith('/')) {
    said.push(invalidValue(`${field}.path`, text, 'must be an absolute path'));
  }
  return [...said, ...validateBackend(valueAt(path, 'backend'), `${field}.backend`)];
}

export const ingressRules: KindRules = {
  prepareCreate(object) {
    object['status'] = { loadBalancer: {} };
  },
  validate(object) {
    const spec = fieldsAt(object, 'spec');
    const rules = listAt(spec, 'rules');
    if (rules.length === 0 && !hasField(spec, 'defaultBackend')) {
      return [invalidValue('spec', null, 'either `defaultBackend` or `rules` must be specified')];
    }
    const backend = hasField(spec, 'defaultBackend')
      ? validateBackend(spec['defaultBackend'], 'spec.defaultBackend')
      : [];
    return [
      ...rules.flatMap((rule, index) => {
        const at = `spec.rules[${index}]`;
        const said = validateHost(textAt(rule, 'host'), `${at}.host`);
        if (valueAt(rule, 'http') === undefined) return said;
        const paths = listAt(rule, 'http', 'paths');
        if (paths.length === 0) return [...said, requiredValue(`${at}.http.paths`)];
        return [...said, ...paths.flatMap((path, number) => validatePath(path, `${at}.http.paths[${number}]`))];
      }),
      ...backend,
    ];
  },
};

export const networkPolicyRules: KindRules = {
  setDefaults(object) {
    const spec = openFields(object, 'spec');
    setDefault(spec, 'podSelector', {});
    for (const direction of ['ingress', 'egress']) {
      for (const rule of listAt(spec, direction)) {
        for (const port of listAt(rule, 'ports') as readonly Fields[]) setDefault(port, 'protocol', 'TCP');
      }
    }
    const hasEgress = listAt(spec, 'egress').length > 0;
    setDefault(spec, 'policyTypes', hasEgress ? ['Ingress', 'Egress'] : ['Ingress']);
  },
  validate: (object) => validateSelector(valueAt(object, 'spec', 'podSelector'), 'spec.podSelector'),
};
