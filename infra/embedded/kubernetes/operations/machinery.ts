import type { WebhookAdmission } from '../admission/webhooks.ts';
import type { Authorizer } from '../auth/authorize.ts';
import type { Clock } from '../clock.ts';
import type { KindCatalogue } from '../kinds/kind-catalogue.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import type { RequestAttributes } from '../request-attributes.ts';
import type { Store } from '../store/store.ts';

/** What every operation works with. */
export interface Machinery {
  readonly store: Store;
  readonly kinds: KindCatalogue;
  readonly admission: WebhookAdmission;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newUid: () => string;
}

/** One request for one kind, authorized, on its way. */
export interface Call {
  readonly kind: ServedKind;
  readonly attributes: RequestAttributes;
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions, as admission webhooks see them. */
  readonly options: Readonly<Record<string, unknown>>;
  /** What the client is told in Warning headers. */
  readonly warnings: string[];
  /** What the audit event is told by admission. */
  readonly annotations: Record<string, string>;
}
