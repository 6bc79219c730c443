import type { ApiObject } from '../api-object.ts';
import { fieldsAt, listAt, numberAt, textAt, textsAt, valueAt } from '../kinds/rules/fields.ts';
import { podRow } from './pod-row.ts';
import {
  accessModes,
  age,
  labelsInWords,
  loadBalancerAddresses,
  orElse,
  quantity,
  type RowPrinter,
  since,
} from './row-printer.ts';

const namespace: RowPrinter = {
  columns: ['Name:string:name', 'Status', 'Age'],
  cells: (object, now) => [object.metadata.name, textAt(object, 'status', 'phase'), age(object, now)],
};

const configMap: RowPrinter = {
  columns: ['Name:string:name', 'Data', 'Age'],
  cells: (object, now) => [
    object.metadata.name,
    Object.keys(fieldsAt(object, 'data')).length + Object.keys(fieldsAt(object, 'binaryData')).length,
    age(object, now),
  ],
};

const secret: RowPrinter = {
  columns: ['Name:string:name', 'Type', 'Data', 'Age'],
  cells: (object, now) => [
    object.metadata.name,
    textAt(object, 'type'),
    Object.keys(fieldsAt(object, 'data')).length,
    age(object, now),
  ],
};

const serviceAccount: RowPrinter = {
  columns: ['Name:string:name', 'Age'],
  cells: (object, now) => [object.metadata.name, age(object, now)],
};

function externalAddress(service: ApiObject): string {
  const external = listAt(service, 'spec', 'externalIPs').map(String);
  switch (textAt(service, 'spec', 'type')) {
    case 'ClusterIP':
    case 'NodePort':
      return orElse(external.join(','), '<none>');
    case 'LoadBalancer': {
      const balancer = loadBalancerAddresses(service);
      return orElse([...(balancer === '' ? [] : balancer.split(',')), ...external].join(','), '<pending>');
    }
    case 'ExternalName':
      return textAt(service, 'spec', 'externalName');
    default:
      return '<unknown>';
  }
}

function portInWords(port: unknown): string {
  const node = numberAt(port, 'nodePort');
  return `${numberAt(port, 'port')}${node > 0 ? `:${node}` : ''}/${textAt(port, 'protocol')}`;
}

const service: RowPrinter = {
  columns: ['Name:string:name', 'Type', 'Cluster-IP', 'External-IP', 'Port(s)', 'Age', '+Selector'],
  cells: (object, now) => [
    object.metadata.name,
    textAt(object, 'spec', 'type'),
    orElse(listAt(object, 'spec', 'clusterIPs')[0], '<none>'),
    externalAddress(object),
    orElse(listAt(object, 'spec', 'ports').map(portInWords).join(','), '<none>'),
    age(object, now),
    labelsInWords(textsAt(object, 'spec', 'selector')),
  ],
};

const event: RowPrinter = {
  columns: [
    'Last Seen',
    'Type',
    'Reason',
    'Object',
    '+Subobject',
    '+Source',
    'Message',
    '+First Seen',
    '+Count',
    '+Name:string:name',
  ],
  cells: (object, now) => {
    // The two groups that serve Events name some fields differently.
    const target = fieldsAt(object, object.apiVersion === 'v1' ? 'involvedObject' : 'regarding');
    const first = valueAt(object, 'firstTimestamp') ?? valueAt(object, 'deprecatedFirstTimestamp');
    const last = valueAt(object, 'lastTimestamp') ?? valueAt(object, 'deprecatedLastTimestamp');
    const firstSeen = since(first ?? valueAt(object, 'eventTime'), now);
    const series = fieldsAt(object, 'series');
    const isSeries = Object.keys(series).length > 0;
    const lastSeen = isSeries ? since(series['lastObservedTime'], now) : last ? since(last, now) : firstSeen;
    const count = numberAt(object, 'count') || numberAt(object, 'deprecatedCount') || 1;
    const source = fieldsAt(object, object.apiVersion === 'v1' ? 'source' : 'deprecatedSource');
    const reporter = textAt(object, 'reportingComponent') || textAt(object, 'reportingController');
    const component = textAt(source, 'component') || reporter;
    const instance = textAt(source, 'host') || textAt(object, 'reportingInstance');
    const name = textAt(target, 'name');
    const kind = textAt(target, 'kind').toLowerCase();
    return [
      lastSeen,
      textAt(object, 'type'),
      textAt(object, 'reason'),
      name === '' ? kind : `${kind}/${name}`,
      textAt(target, 'fieldPath'),
      instance === '' ? component : `${component}, ${instance}`,
      (textAt(object, 'message') || textAt(object, 'note')).trim(),
      firstSeen,
      isSeries ? numberAt(series, 'count') : count,
      object.metadata.name,
    ];
  },
};

function nodeStatus(node: ApiObject): string {
  const ready = listAt(node, 'status', 'conditions').find((condition) => textAt(condition, 'type') === 'Ready');
  const words = ready === undefined ? 'Unknown' : textAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady';
  return valueAt(node, 'spec', 'unschedulable') === true ? `${words},SchedulingDisabled` : words;
}

function nodeRoles(node: ApiObject): string {
  const prefix = 'node-role.kubernetes.io/';
  const roles = Object.entries(node.metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(prefix) && key.length > prefix.length) return [key.slice(prefix.length)];
    return key === 'kubernetes.io/role' && value !== '' ? [value] : [];
  });
  return orElse([...new Set(roles)].sort().join(','), '<none>');
}

function nodeAddress(node: ApiObject, type: string): string {
  const found = listAt(node, 'status', 'addresses').find((address) => textAt(address, 'type') === type);
  return orElse(textAt(found, 'address'), '<none>');
}

const node: RowPrinter = {
  columns: [
    'Name:string:name',
    'Status',
    'Roles',
    'Age',
    'Version',
    '+Internal-IP',
    '+External-IP',
    '+OS-Image',
    '+Kernel-Version',
    '+Container-Runtime',
  ],
  cells: (object, now) => {
    const info = fieldsAt(object, 'status', 'nodeInfo');
    const architecture = textAt(info, 'architecture');
    const kernel = orElse(info['kernelVersion'], '<unknown>');
    return [
      object.metadata.name,
      nodeStatus(object),
      nodeRoles(object),
      age(object, now),
      textAt(info, 'kubeletVersion'),
      nodeAddress(object, 'InternalIP'),
      nodeAddress(object, 'ExternalIP'),
      orElse(info['osImage'], '<unknown>'),
      architecture === '' ? kernel : `${kernel} (${architecture})`,
      orElse(info['containerRuntimeVersion'], '<unknown>'),
    ];
  },
};

const persistentVolumeClaim: RowPrinter = {
  columns: [
    'Name:string:name',
    'Status',
    'Volume',
    'Capacity',
    'Access Modes',
    'StorageClass',
    'VolumeAttributesClass',
    'Age',
    '+VolumeMode',
  ],
  cells: (object, now) => {
    const volume = textAt(object, 'spec', 'volumeName');
    const isTerminating = object.metadata.deletionTimestamp !== undefined;
    const annotated = object.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'];
    return [
      object.metadata.name,
      isTerminating ? 'Terminating' : textAt(object, 'status', 'phase'),
      volume,
      volume === '' ? '' : quantity(fieldsAt(object, 'status', 'capacity'), 'storage'),
      volume === '' ? '' : accessModes(listAt(object, 'status', 'accessModes')),
      annotated ?? textAt(object, 'spec', 'storageClassName'),
      orElse(valueAt(object, 'spec', 'volumeAttributesClassName'), '<unset>'),
      age(object, now),
      orElse(valueAt(object, 'spec', 'volumeMode'), '<unset>'),
    ];
  },
};

export const coreRows: Readonly<Record<string, RowPrinter>> = {
  '/Namespace': namespace,
  '/ConfigMap': configMap,
  '/Secret': secret,
  '/ServiceAccount': serviceAccount,
  '/Service': service,
  '/Event': event,
  '/Node': node,
  '/Pod': podRow,
  '/PersistentVolumeClaim': persistentVolumeClaim,
};
