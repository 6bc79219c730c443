import { type Fields, fieldsAt, hasField, listAt, openFields, setDefault, textAt, valueAt } from './fields.ts';
import { canonicalQuantity } from './quantity.ts';

/** Everything below a path that is a map from resource names to quantities. */
export function settleQuantities(owner: Fields, ...names: readonly string[]): void {
  for (const name of names) {
    const map = fieldsAt(owner, name);
    for (const [resource, quantity] of Object.entries(map)) map[resource] = canonicalQuantity(quantity);
  }
}

/** Without a tag, or with `latest`, the image may change under its name and is pulled each time. */
function pullPolicy(image: string): string {
  const name = image.slice(image.lastIndexOf('/') + 1);
  if (name.includes('@')) return 'IfNotPresent';
  const tag = name.includes(':') ? name.slice(name.lastIndexOf(':') + 1) : 'latest';
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

function defaultHttpGet(handler: Fields): void {
  if (!hasField(handler, 'httpGet')) return;
  const get = openFields(handler, 'httpGet');
  setDefault(get, 'path', '/');
  setDefault(get, 'scheme', 'HTTP');
}

function defaultProbe(container: Fields, name: string): void {
  if (!hasField(container, name)) return;
  const probe = openFields(container, name);
  defaultHttpGet(probe);
  if (hasField(probe, 'grpc')) setDefault(openFields(probe, 'grpc'), 'service', '');
  setDefault(probe, 'timeoutSeconds', 1);
  setDefault(probe, 'periodSeconds', 10);
  setDefault(probe, 'successThreshold', 1);
  setDefault(probe, 'failureThreshold', 3);
}

function defaultContainer(container: Fields): void {
  setDefault(container, 'imagePullPolicy', pullPolicy(textAt(container, 'image')));
  setDefault(container, 'terminationMessagePath', '/dev/termination-log');
  setDefault(container, 'terminationMessagePolicy', 'File');
  settleQuantities(openFields(container, 'resources'), 'limits', 'requests');
  for (const port of listAt(container, 'ports') as readonly Fields[]) setDefault(port, 'protocol', 'TCP');
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe']) defaultProbe(container, probe);
  for (const hook of ['postStart', 'preStop']) defaultHttpGet(fieldsAt(container, 'lifecycle', hook));
  for (const variable of listAt(container, 'env')) {
    const reference = valueAt(variable, 'valueFrom', 'fieldRef');
    if (reference !== undefined) setDefault(reference as Fields, 'apiVersion', 'v1');
  }
}

const volumesWithMode = ['configMap', 'secret', 'downwardAPI', 'projected'];

function defaultVolume(volume: Fields): void {
  if (Object.keys(volume).every((name) => name === 'name')) volume['emptyDir'] = {};
  for (const source of volumesWithMode) {
    if (hasField(volume, source)) setDefault(openFields(volume, source), 'defaultMode', 0o644);
  }
  if (hasField(volume, 'hostPath')) setDefault(openFields(volume, 'hostPath'), 'type', '');
  if (hasField(volume, 'emptyDir')) {
    const emptyDir = openFields(volume, 'emptyDir');
    if (hasField(emptyDir, 'sizeLimit')) emptyDir['sizeLimit'] = canonicalQuantity(emptyDir['sizeLimit']);
  }
  const projected = listAt(volume, 'projected', 'sources');
  for (const source of projected) {
    const token = valueAt(source, 'serviceAccountToken');
    if (token !== undefined) setDefault(token as Fields, 'expirationSeconds', 3600);
  }
  for (const owner of [volume, ...projected]) {
    for (const item of listAt(owner, 'downwardAPI', 'items')) {
      const reference = valueAt(item, 'fieldRef');
      if (reference !== undefined) setDefault(reference as Fields, 'apiVersion', 'v1');
    }
  }
}

/** What every pod specification gets, in a Pod or in a template. */
export function defaultPodSpec(spec: Fields): void {
  setDefault(spec, 'restartPolicy', 'Always');
  setDefault(spec, 'terminationGracePeriodSeconds', 30);
  setDefault(spec, 'dnsPolicy', 'ClusterFirst');
  setDefault(spec, 'securityContext', {});
  setDefault(spec, 'schedulerName', 'default-scheduler');
  const account = textAt(spec, 'serviceAccountName') || textAt(spec, 'serviceAccount');
  if (account !== '') {
    spec['serviceAccountName'] = account;
    spec['serviceAccount'] = account;
  }
  for (const list of ['containers', 'initContainers']) {
    for (const container of listAt(spec, list) as readonly Fields[]) defaultContainer(container);
  }
  for (const volume of listAt(spec, 'volumes') as readonly Fields[]) defaultVolume(volume);
}

/** A template may come without metadata; the API shows an empty one. */
export function defaultPodTemplate(owner: Fields): void {
  const template = openFields(owner, 'template');
  openFields(template, 'metadata');
  defaultPodSpec(openFields(template, 'spec'));
}
