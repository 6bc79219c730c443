import type { ApiObject } from '../api-object.ts';
import { fieldsAt, listAt, numberAt, textAt, valueAt } from '../kinds/rules/fields.ts';
import { metricsInWords } from './metrics-in-words.ts';
import { age, loadBalancerAddresses, orElse, quantity, type RowPrinter, selectorOrNone } from './row-printer.ts';

function hosts(ingress: ApiObject): string {
  const rules = listAt(ingress, 'spec', 'rules');
  const named = rules.map((rule) => textAt(rule, 'host')).filter((host) => host !== '');
  const shown = named.slice(0, 3).join(',');
  if (shown === '') return '*';
  return rules.length > 3 && named.length >= 3 ? `${shown} + ${rules.length - 3} more...` : shown;
}

const ingress: RowPrinter = {
  columns: ['Name:string:name', 'Class', 'Hosts', 'Address', 'Ports', 'Age'],
  cells: (object, now) => [
    object.metadata.name,
    orElse(valueAt(object, 'spec', 'ingressClassName'), '<none>'),
    hosts(object),
    loadBalancerAddresses(object),
    listAt(object, 'spec', 'tls').length > 0 ? '80, 443' : '80',
    age(object, now),
  ],
};

const networkPolicy: RowPrinter = {
  columns: ['Name:string:name', 'Pod-Selector', 'Age'],
  cells: (object, now) => [
    object.metadata.name,
    selectorOrNone(valueAt(object, 'spec', 'podSelector')),
    age(object, now),
  ],
};

function subjects(binding: ApiObject, kind: string): string {
  return listAt(binding, 'subjects')
    .filter((subject) => textAt(subject, 'kind') === kind)
    .map((subject) => {
      const name = textAt(subject, 'name');
      return kind === 'ServiceAccount' ? `${textAt(subject, 'namespace')}/${name}` : name;
    })
    .join(', ');
}

const roleBinding: RowPrinter = {
  columns: ['Name:string:name', 'Role', 'Age', '+Users', '+Groups', '+ServiceAccounts'],
  cells: (object, now) => [
    object.metadata.name,
    `${textAt(object, 'roleRef', 'kind')}/${textAt(object, 'roleRef', 'name')}`,
    age(object, now),
    subjects(object, 'User'),
    subjects(object, 'Group'),
    subjects(object, 'ServiceAccount'),
  ],
};

const resourceQuota: RowPrinter = {
  columns: ['Name:string:name', 'Request', 'Limit', 'Age'],
  cells: (object, now) => {
    const hard = fieldsAt(object, 'status', 'hard');
    const used = fieldsAt(object, 'status', 'used');
    const names = Object.keys(hard).sort();
    const inWords = (name: string) => `${name}: ${quantity(used, name)}/${quantity(hard, name)}`;
    const isLimit = (name: string) => name.startsWith('limits.');
    return [
      object.metadata.name,
      names
        .filter((name) => !isLimit(name))
        .map(inWords)
        .join(', '),
      names.filter(isLimit).map(inWords).join(', '),
      age(object, now),
    ];
  },
};

const horizontalPodAutoscaler: RowPrinter = {
  columns: ['Name:string:name', 'Reference', 'Targets', 'MinPods', 'MaxPods', 'Replicas', 'Age'],
  cells: (object, now) => {
    const minimum = valueAt(object, 'spec', 'minReplicas');
    return [
      object.metadata.name,
      `${textAt(object, 'spec', 'scaleTargetRef', 'kind')}/${textAt(object, 'spec', 'scaleTargetRef', 'name')}`,
      metricsInWords(object),
      typeof minimum === 'number' ? String(minimum) : '<unset>',
      numberAt(object, 'spec', 'maxReplicas'),
      numberAt(object, 'status', 'currentReplicas'),
      age(object, now),
    ];
  },
};

function intOrPercent(value: unknown): string {
  return value === undefined || value === null ? 'N/A' : String(value);
}

const podDisruptionBudget: RowPrinter = {
  columns: ['Name:string:name', 'Min Available', 'Max Unavailable', 'Allowed Disruptions:integer', 'Age'],
  cells: (object, now) => [
    object.metadata.name,
    intOrPercent(valueAt(object, 'spec', 'minAvailable')),
    intOrPercent(valueAt(object, 'spec', 'maxUnavailable')),
    numberAt(object, 'status', 'disruptionsAllowed'),
    age(object, now),
  ],
};

const lease: RowPrinter = {
  columns: ['Name:string:name', 'Holder', 'Age'],
  cells: (object, now) => [object.metadata.name, textAt(object, 'spec', 'holderIdentity'), age(object, now)],
};

const webhookConfiguration: RowPrinter = {
  columns: ['Name:string:name', 'Webhooks:integer', 'Age'],
  cells: (object, now) => [object.metadata.name, listAt(object, 'webhooks').length, age(object, now)],
};

export const policyRows: Readonly<Record<string, RowPrinter>> = {
  'networking.k8s.io/Ingress': ingress,
  'networking.k8s.io/NetworkPolicy': networkPolicy,
  'rbac.authorization.k8s.io/RoleBinding': roleBinding,
  'rbac.authorization.k8s.io/ClusterRoleBinding': roleBinding,
  '/ResourceQuota': resourceQuota,
  'autoscaling/HorizontalPodAutoscaler': horizontalPodAutoscaler,
  'policy/PodDisruptionBudget': podDisruptionBudget,
  'coordination.k8s.io/Lease': lease,
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': webhookConfiguration,
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': webhookConfiguration,
};
