import type { WebhookCall, WebhookCaller } from '../../../../infra/embedded/kubernetes/admission/call-webhook.ts';
import { createWebhookAdmission } from '../../../../infra/embedded/kubernetes/admission/webhooks.ts';
import type { ApiObject } from '../../../../infra/embedded/kubernetes/api-object.ts';
import type { ServedKind } from '../../../../infra/embedded/kubernetes/kinds/served-kind.ts';
import type { AdmissionAttributes } from '../../../../infra/embedded/kubernetes/request-attributes.ts';
import { StatusError } from '../../../../infra/embedded/kubernetes/status-error.ts';
import { SteppedClock } from '../../../support/stepped-clock.ts';
import { admin } from '../auth/asking.ts';
import { createMemoryStore } from '../auth/memory-store.ts';

export interface Review {
  readonly path: string;
  readonly call: WebhookCall;
  readonly request: Record<string, unknown> & { readonly uid: string };
}

export type Behaviour = (review: Review) => unknown;

/** Webhooks are told of a kind only what it is called. */
const configMaps = { group: '', version: 'v1', kind: 'ConfigMap' } as ServedKind;

export function writing(more: Partial<AdmissionAttributes> = {}): AdmissionAttributes {
  return {
    user: admin,
    verb: 'create',
    isResourceRequest: true,
    path: '/api/v1/namespaces/w/configmaps',
    group: '',
    version: 'v1',
    resource: 'configmaps',
    subresource: '',
    namespace: 'w',
    name: 'c1',
    operation: 'CREATE',
    kind: configMaps,
    dryRun: false,
    options: {},
    ...more,
  };
}

export function configMap(more: Partial<ApiObject> = {}): ApiObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c1', namespace: 'w' }, data: { a: 'b' }, ...more };
}

/** A JSON answer to a review. */
export function answer(response: Record<string, unknown>): Behaviour {
  return ({ request }) => ({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid: request.uid, allowed: true, ...response },
  });
}

export function patching(operations: unknown, patchType: unknown = 'JSONPatch'): Behaviour {
  return answer({ patch: Buffer.from(JSON.stringify(operations)).toString('base64'), patchType });
}

/** Webhooks that live in this process, each at a path. */
export function createWebhookWorld() {
  const store = createMemoryStore();
  const clock = new SteppedClock();
  const seen: Review[] = [];
  const lines: string[] = [];
  const behaviours = new Map<string, Behaviour>();
  store.put('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'w', labels: { team: 'a' } } });

  const caller: WebhookCaller = {
    async call(call) {
      const path = new URL(call.url).pathname;
      const { request } = JSON.parse(call.body) as Pick<Review, 'request'>;
      const review = { path, call, request };
      seen.push(review);
      const result = await behaviours.get(path)?.(review);
      if (typeof result === 'object' && result !== null && 'code' in result) {
        return { contentType: 'application/json', body: '', ...result } as Awaited<ReturnType<WebhookCaller['call']>>;
      }
      return {
        code: 200,
        contentType: 'application/json',
        body: typeof result === 'string' ? result : JSON.stringify(result),
      };
    },
    close: () => Promise.resolve(),
  };

  function configure(
    type: 'Mutating' | 'Validating',
    name: string,
    webhooks: readonly Record<string, unknown>[],
  ): void {
    const kind = `${type}WebhookConfiguration`;
    store.put(`${kind.toLowerCase()}s.admissionregistration.k8s.io`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind,
      metadata: { name },
      webhooks,
    });
  }

  function webhook(behaviour: Behaviour, more: Record<string, unknown> = {}): Record<string, unknown> {
    const path = `/${behaviours.size}`;
    behaviours.set(path, behaviour);
    return {
      name: 'a.b.c',
      clientConfig: { url: `https://hooks.example${path}` },
      rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      ...more,
    };
  }

  const admission = createWebhookAdmission({ read: store, clock, caller, log: (line) => lines.push(line) });
  return { store, clock, seen, lines, admission, configure, webhook };
}

/** The Status that something refuses with. */
export async function refusal(work: Promise<unknown>): Promise<StatusError> {
  const outcome = await work.then(
    () => new Error('nothing was refused'),
    (error: unknown) => error,
  );
  if (outcome instanceof StatusError) return outcome;
  throw outcome;
}
