import { isIP } from 'node:net';
import type { ApiObject } from '../../api-object.ts';
import type { FieldError } from '../../status-error.ts';
import type { KindRules } from '../served-kind.ts';
import type { ClusterAddresses } from './cluster-addresses.ts';
import { duplicateValue, invalidValue, requiredValue, unsupportedValue } from './field-errors.ts';
import {
  type Fields,
  fieldsAt,
  hasField,
  listAt,
  numberAt,
  openFields,
  setDefault,
  textAt,
  textsAt,
  valueAt,
} from './fields.ts';
import { dnsLabel } from './text-rules.ts';
import { validateLabels } from './validate-metadata.ts';
import { protocols } from './validate-pod-spec.ts';
import { validatePort } from './validate-probe.ts';

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];

function hasNodePorts(spec: Fields): boolean {
  return spec['type'] === 'NodePort' || spec['type'] === 'LoadBalancer';
}

function setDefaults(object: ApiObject): void {
  const spec = openFields(object, 'spec');
  setDefault(spec, 'sessionAffinity', 'None');
  setDefault(spec, 'type', 'ClusterIP');
  for (const port of listAt(spec, 'ports') as readonly Fields[]) {
    setDefault(port, 'protocol', 'TCP');
    if (!hasField(port, 'targetPort') || port['targetPort'] === 0 || port['targetPort'] === '') {
      port['targetPort'] = numberAt(port, 'port');
    }
  }
  if (spec['sessionAffinity'] === 'ClientIP') {
    const config = openFields(openFields(spec, 'sessionAffinityConfig'), 'clientIP');
    setDefault(config, 'timeoutSeconds', 10_800);
  }
  if (spec['type'] !== 'ExternalName') setDefault(spec, 'internalTrafficPolicy', 'Cluster');
  if (hasNodePorts(spec)) setDefault(spec, 'externalTrafficPolicy', 'Cluster');
  if (spec['type'] === 'LoadBalancer') setDefault(spec, 'allocateLoadBalancerNodePorts', true);
}

/** Gives the Service its addresses. Those that it has already, `old` says, it keeps. */
function allocate(object: ApiObject, old: ApiObject | undefined, addresses: ClusterAddresses): void {
  const spec = openFields(object, 'spec');
  if (spec['type'] === 'ExternalName') {
    for (const name of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy']) {
      delete spec[name];
    }
    return;
  }
  const kept = textAt(old, 'spec', 'clusterIP');
  const asked = textAt(spec, 'clusterIP');
  if (asked === '') spec['clusterIP'] = kept === '' ? addresses.nextAddress() : kept;
  spec['clusterIPs'] = [spec['clusterIP']];
  // A headless Service that selects nothing may stand for any address.
  const isAnyFamily = spec['clusterIP'] === 'None' && Object.keys(fieldsAt(spec, 'selector')).length === 0;
  setDefault(spec, 'ipFamilies', isAnyFamily ? ['IPv4', 'IPv6'] : ['IPv4']);
  setDefault(spec, 'ipFamilyPolicy', isAnyFamily ? 'RequireDualStack' : 'SingleStack');
  allocateNodePorts(spec, old, addresses);
}

function allocateNodePorts(spec: Fields, old: ApiObject | undefined, addresses: ClusterAddresses): void {
  const before = listAt(old, 'spec', 'ports');
  const taken = new Set<number>();
  for (const port of listAt(spec, 'ports') as readonly Fields[]) {
    if (!hasNodePorts(spec)) {
      // Ports that only the former type needed go with it.
      if (old !== undefined && hasNodePorts(fieldsAt(old, 'spec'))) delete port['nodePort'];
      continue;
    }
    if (numberAt(port, 'nodePort') === 0) {
      const same = before.find(
        (one) => numberAt(one, 'port') === port['port'] && textAt(one, 'protocol') === port['protocol'],
      );
      port['nodePort'] = numberAt(same, 'nodePort') || addresses.nextNodePort(taken);
    }
    taken.add(numberAt(port, 'nodePort'));
  }
}

function validatePorts(spec: Fields): FieldError[] {
  const ports = listAt(spec, 'ports');
  const names = new Set<string>();
  const numbers = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = `spec.ports[${index}]`;
    const name = textAt(port, 'name');
    const said: FieldError[] = [];
    if (name === '') {
      if (ports.length > 1) said.push(requiredValue(`${at}.name`));
    } else {
      said.push(...dnsLabel(name).map((words) => invalidValue(`${at}.name`, name, words)));
      if (names.has(name)) said.push(duplicateValue(`${at}.name`, name));
      names.add(name);
    }
    said.push(...validatePort(numberAt(port, 'port'), `${at}.port`));
    const protocol = textAt(port, 'protocol');
    if (!protocols.includes(protocol)) said.push(unsupportedValue(`${at}.protocol`, protocol, protocols));
    said.push(...validatePort(valueAt(port, 'targetPort'), `${at}.targetPort`));
    const key = `${protocol}/${numberAt(port, 'port')}`;
    if (numbers.has(key)) {
      const shown = {
        Name: '',
        Protocol: protocol,
        AppProtocol: null,
        Port: numberAt(port, 'port'),
        TargetPort: 0,
        NodePort: 0,
      };
      said.push(duplicateValue(at, shown));
    }
    numbers.add(key);
    return said;
  });
}

function validateAddress(spec: Fields, old: ApiObject | undefined, addresses: ClusterAddresses): FieldError[] {
  const address = textAt(spec, 'clusterIP');
  const before = textAt(old, 'spec', 'clusterIP');
  if (spec['type'] === 'ExternalName' || address === before) return [];
  if (before !== '') return [invalidValue('spec.clusterIPs[0]', [address], 'may not change once set')];
  if (address === 'None') return [];
  if (isIP(address) === 0) {
    const words = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
    return [invalidValue('spec.clusterIPs[0]', address, words)];
  }
  const refusal = addresses.refusal(address);
  return refusal === undefined ? [] : [invalidValue('spec.clusterIPs', [address], refusal)];
}

export function serviceRules(addresses: ClusterAddresses): KindRules {
  return {
    setDefaults,
    prepareCreate(object) {
      allocate(object, undefined, addresses);
      object['status'] = { loadBalancer: {} };
    },
    prepareUpdate(object, old) {
      allocate(object, old, addresses);
    },
    validate(object, old) {
      const spec = fieldsAt(object, 'spec');
      const type = textAt(spec, 'type');
      const said: FieldError[] = [];
      const needsPorts = type !== 'ExternalName' && spec['clusterIP'] !== 'None';
      if (needsPorts && listAt(spec, 'ports').length === 0) said.push(requiredValue('spec.ports'));
      said.push(...validatePorts(spec));
      said.push(...validateLabels(textsAt(spec, 'selector'), 'spec.selector'));
      const affinity = textAt(spec, 'sessionAffinity');
      const affinities = ['ClientIP', 'None'];
      if (!affinities.includes(affinity)) said.push(unsupportedValue('spec.sessionAffinity', affinity, affinities));
      if (!types.includes(type)) said.push(unsupportedValue('spec.type', type, types));
      if (type === 'ExternalName' && textAt(spec, 'externalName') === '') said.push(requiredValue('spec.externalName'));
      return [...said, ...validateAddress(spec, old, addresses)];
    },
  };
}
