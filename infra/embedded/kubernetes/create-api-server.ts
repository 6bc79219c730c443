import { randomUUID } from 'node:crypto';
import { createWebhookAdmission } from './admission/webhooks.ts';
import type { ApiObject } from './api-object.ts';
import type { AuditPolicy } from './audit/audit-policy.ts';
import { type AuditEventList, createAudit } from './audit/create-audit.ts';
import { createAuthenticator, type StaticToken } from './auth/authenticate.ts';
import { createAuthorizer } from './auth/authorize.ts';
import { createReviews } from './auth/reviews.ts';
import { signSecretToken } from './auth/service-account-token.ts';
import { loadSigningKey } from './auth/signing-key.ts';
import { bootstrap } from './bootstrap.ts';
import type { Clock } from './clock.ts';
import { startControllers } from './controllers/start-controllers.ts';
import { createDiscovery } from './discovery/answer-discovery.ts';
import type { InternalApi } from './internal-api.ts';
import { coreKinds } from './kinds/core-kinds.ts';
import { KindCatalogue } from './kinds/kind-catalogue.ts';
import { registerCrds } from './kinds/register-crds.ts';
import { createInternalApi } from './operations/create-internal-api.ts';
import type { Machinery } from './operations/machinery.ts';
import type { ApiAnswer, ApiRequest } from './serve/exchange.ts';
import { createFront } from './serve/handle-request.ts';
import { Store } from './store/store.ts';

export interface ApiServerOptions {
  /** Where objects are kept; without it they live in memory only. */
  readonly folder?: string | undefined;
  readonly clock: Clock;
  readonly tokens: readonly StaticToken[];
  /** PEM of the key that signs ServiceAccount tokens. */
  readonly signingKey: string;
  /** PEM that clients inside the cluster check the server against. */
  readonly rootCa: string;
  /** host:port, known once it listens. */
  readonly address: () => string;
  readonly audit?: { readonly policy: AuditPolicy; readonly send: (list: AuditEventList) => Promise<void> } | undefined;
  readonly random?: (() => number) | undefined;
  readonly newUid?: (() => string) | undefined;
  readonly historyLength?: number | undefined;
  readonly log: (line: string) => void;
}

export interface ApiServer {
  handle(request: ApiRequest): Promise<ApiAnswer>;
  readonly api: InternalApi;
  /** Resolves when no controller has anything to do. */
  idle(): Promise<void>;
  /** Forgets the past: every watch and page that begins before now gets 410. */
  compact(): void;
  stop(): Promise<void>;
}

const issuer = 'https://kubernetes.default.svc';

/** The API server without sockets: a request in, an answer out. */
export async function createApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { clock, log } = options;
  const store = new Store({ folder: options.folder, historyLength: options.historyLength });
  const list = (storage: string): readonly ApiObject[] => store.list(storage);
  const kinds = new KindCatalogue(coreKinds({ list, now: clock.now }), store);
  const key = loadSigningKey(options.signingKey);
  const authorizer = createAuthorizer({ read: store });
  const authenticator = createAuthenticator({ read: store, clock, keys: [key], issuer, tokens: options.tokens });
  const admission = createWebhookAdmission({ read: store, clock, log });
  const audit = options.audit === undefined ? undefined : createAudit({ ...options.audit, clock, log });
  const machinery: Machinery = {
    store,
    kinds,
    admission,
    authorizer,
    clock,
    random: options.random ?? Math.random,
    newUid: options.newUid ?? randomUUID,
  };
  const api = createInternalApi(machinery, audit);
  const unregister = registerCrds(api, kinds, clock);
  await bootstrap(api, kinds);
  const controllers = startControllers({
    api,
    clock,
    kinds: () => kinds.all(),
    rootCa: options.rootCa,
    signToken: ({ namespace, serviceAccount, uid, secret }) =>
      signSecretToken({ key, account: { namespace, name: serviceAccount, uid }, secretName: secret }),
    log: (line) => log(JSON.stringify(line)),
  });
  const front = createFront({
    machinery,
    authenticator,
    authorizer,
    reviews: createReviews({ read: store, clock, authenticator, authorizer, key, issuer }),
    discovery: createDiscovery({ kinds: () => kinds.all(), address: options.address }),
    audit,
    log,
  });
  return {
    handle: front,
    api,
    idle: () => controllers.idle(),
    compact: () => store.compact(),
    stop: async () => {
      await controllers.stop();
      unregister();
      authorizer.stop();
      await admission.stop();
      await audit?.stop();
      store.close();
    },
  };
}
