import type { StoreEvent } from '../internal-api.ts';
import { isSame } from '../kinds/rules/fields.ts';
import { controllerUser } from '../user.ts';
import { type Controller, type ControllerParts, isBeingDeleted } from './controller.ts';
import { makeObject } from './make-object.ts';
import type { WorkQueue } from './work-queue.ts';

const accountUser = controllerUser('service-account-controller');
const publisher = controllerUser('root-ca-cert-publisher');
const caName = 'kube-root-ca.crt';

/** Every namespace has a ServiceAccount `default`, and a ConfigMap with the certificate to check the API server against. */
export class ServiceAccounts implements Controller {
  private readonly parts: ControllerParts;
  private readonly rootCa: string;
  private readonly queue: WorkQueue;

  constructor(parts: ControllerParts, rootCa: string) {
    this.parts = parts;
    this.rootCa = rootCa;
    this.queue = parts.queue('service-account', (namespace) => this.sync(namespace));
  }

  observe({ type, storage, object }: StoreEvent): void {
    const { name = '', namespace = '' } = object.metadata;
    if (storage === 'namespaces' && type !== 'DELETED') this.queue.add(name);
    else if (storage === 'serviceaccounts' && name === 'default' && type === 'DELETED') this.queue.add(namespace);
    else if (storage === 'configmaps' && name === caName && type !== 'ADDED') this.queue.add(namespace);
  }

  private async sync(namespace: string): Promise<void> {
    const { api } = this.parts;
    const home = api.read.get({ storage: 'namespaces', namespace: '', name: namespace });
    if (home === undefined || isBeingDeleted(home)) return;
    if (api.read.get({ storage: 'serviceaccounts', namespace, name: 'default' }) === undefined) {
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } };
      await makeObject(api, accountUser, account);
    }
    const known = api.read.get({ storage: 'configmaps', namespace, name: caName });
    const data = { 'ca.crt': this.rootCa };
    if (known === undefined) {
      await makeObject(api, publisher, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: caName, namespace },
        data,
      });
    } else if (!isSame(known['data'], data)) await api.update(publisher, { ...known, data });
  }
}
