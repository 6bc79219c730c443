import type { ApiObject } from '../api-object.ts';
import type { StoreEvent } from '../internal-api.ts';
import { fieldsAt } from '../kinds/rules/fields.ts';
import { controllerUser } from '../user.ts';
import { type Controller, type ControllerParts, isBeingDeleted, keyIn, keyOf, objectKey } from './controller.ts';
import { ignoreMissing } from './ignore-missing.ts';
import type { WorkQueue } from './work-queue.ts';

const user = controllerUser('tokens-controller');
const tokenType = 'kubernetes.io/service-account-token';
const nameAnnotation = 'kubernetes.io/service-account.name';
const uidAnnotation = 'kubernetes.io/service-account.uid';

interface TokenClaims {
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly uid: string;
  readonly secret: string;
}

export type SignToken = (claims: TokenClaims) => string | Promise<string>;

/** Fills Secrets that ask for a ServiceAccount's token, and removes them when their account is gone. */
export class TokenSecrets implements Controller {
  private readonly parts: ControllerParts;
  private readonly rootCa: string;
  private readonly sign: SignToken;
  private readonly queue: WorkQueue;
  private readonly byAccount = new Map<string, Set<string>>();

  constructor(parts: ControllerParts, rootCa: string, sign: SignToken) {
    this.parts = parts;
    this.rootCa = rootCa;
    this.sign = sign;
    this.queue = parts.queue('tokens', (key) => this.sync(key));
  }

  observe({ type, storage, object }: StoreEvent): void {
    if (storage === 'serviceaccounts') {
      if (type === 'MODIFIED') return;
      for (const secret of this.byAccount.get(keyOf(object)) ?? []) this.queue.add(secret);
    } else if (storage === 'secrets' && object['type'] === tokenType) {
      const account = accountKey(object);
      const known = this.byAccount.get(account) ?? new Set();
      if (type === 'DELETED') known.delete(keyOf(object));
      else known.add(keyOf(object));
      if (known.size > 0) this.byAccount.set(account, known);
      else this.byAccount.delete(account);
      if (type !== 'DELETED') this.queue.add(keyOf(object));
    }
  }

  private async sync(key: string): Promise<void> {
    const { api } = this.parts;
    const secret = api.read.get(objectKey('secrets', key));
    if (secret === undefined || isBeingDeleted(secret)) return;
    const { namespace = '', name = '', annotations = {}, uid: secretUid = '' } = secret.metadata;
    const account = api.read.get(objectKey('serviceaccounts', accountKey(secret)));
    const uid = account?.metadata.uid ?? '';
    const isForAnother = (annotations[uidAnnotation] ?? uid) !== uid;
    if (account === undefined || isForAnother) {
      await ignoreMissing(api.remove(user, keyIn('secrets', secret), { uid: secretUid }));
      return;
    }
    const data = fieldsAt(secret, 'data');
    const wanted = {
      'ca.crt': base64(this.rootCa),
      namespace: base64(namespace),
    };
    const isDone =
      data['token'] !== undefined &&
      annotations[uidAnnotation] === uid &&
      Object.entries(wanted).every(([field, value]) => data[field] === value);
    if (isDone) return;
    const serviceAccount = account.metadata.name ?? '';
    const token = data['token'] ?? base64(await this.sign({ namespace, serviceAccount, uid, secret: name }));
    const metadata = { ...secret.metadata, annotations: { ...annotations, [uidAnnotation]: uid } };
    await ignoreMissing(api.update(user, { ...secret, metadata, data: { ...data, ...wanted, token } }));
  }
}

function accountKey({ metadata: { namespace = '', annotations = {} } }: ApiObject): string {
  return `${namespace}/${annotations[nameAnnotation] ?? ''}`;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
