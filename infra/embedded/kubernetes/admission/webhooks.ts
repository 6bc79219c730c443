import { isDeepStrictEqual } from 'node:util';
import type { ApiObject } from '../api-object.ts';
import type { Clock } from '../clock.ts';
import type { StoreReader } from '../internal-api.ts';
import { storageOf } from '../kinds/served-kind.ts';
import type { AdmissionAttributes } from '../request-attributes.ts';
import { badRequest, forbidden, StatusError } from '../status-error.ts';
import { type ReviewResponse, reviewRequest } from './admission-review.ts';
import { applyWebhookPatch, internalError } from './apply-webhook-patch.ts';
import { askWebhook, readPatch } from './ask-webhook.ts';
import { createHttpsCaller, type WebhookCaller } from './call-webhook.ts';
import { denial } from './denial.ts';
import { keepIdentity } from './keep-identity.ts';
import { isConcerned, isExempt } from './match-webhook.ts';
import { type Webhook, webhooksOf } from './webhook-configuration.ts';

interface Admitted {
  readonly warnings: readonly string[];
  /** What the audit event is told. */
  readonly annotations: Record<string, string>;
}

export interface WebhookAdmission {
  /** The very same object where no webhook changed it. */
  mutate(
    attributes: AdmissionAttributes,
    object: ApiObject | undefined,
    oldObject: ApiObject | undefined,
  ): Promise<Admitted & { readonly object: ApiObject | undefined }>;
  validate(
    attributes: AdmissionAttributes,
    object: ApiObject | undefined,
    oldObject: ApiObject | undefined,
  ): Promise<Admitted>;
  stop(): Promise<void>;
}

interface WebhookAdmissionOptions {
  readonly read: StoreReader;
  readonly clock: Clock;
  /** Over HTTPS where nothing else is given. */
  readonly caller?: WebhookCaller;
  /** Told of webhooks that failed and whose failure is to be ignored. */
  readonly log?: (line: string) => void;
}

const group = 'admissionregistration.k8s.io';
const mutating = storageOf(group, 'mutatingwebhookconfigurations');
const validating = storageOf(group, 'validatingwebhookconfigurations');

interface Notes {
  readonly warnings: string[];
  readonly annotations: Record<string, string>;
}

/** Asks the webhooks that the configurations in the store name. */
export function createWebhookAdmission(options: WebhookAdmissionOptions): WebhookAdmission {
  const { read, clock, log } = options;
  const caller = options.caller ?? createHttpsCaller();
  const known = new Map<string, readonly Webhook[]>();
  const unsubscribe = read.subscribe(({ storage }) => known.delete(storage));

  function webhooksIn(storage: string): readonly Webhook[] {
    const found = known.get(storage) ?? read.list(storage).flatMap(webhooksOf);
    known.set(storage, found);
    return found;
  }

  /** Whether this webhook is to be asked about this write. Throws where that cannot be said and matters. */
  function isAsked(
    webhook: Webhook,
    attributes: AdmissionAttributes,
    object: ApiObject | undefined,
    oldObject: ApiObject | undefined,
  ): boolean {
    if (!isConcerned(read, webhook, attributes, object, oldObject)) return false;
    const answer = webhook.conditions(() => ({
      object: object ?? null,
      oldObject: oldObject ?? null,
      request: { ...reviewRequest(attributes, object, oldObject), object: undefined, oldObject: undefined },
    }));
    if ('matches' in answer) return answer.matches;
    if (webhook.ignoresFailure) return false;
    throw forbidden(attributes, attributes.name || (object?.metadata.name ?? ''), answer.error);
  }

  /** Undefined: the webhook failed and may. */
  async function ask<T>(
    webhook: Webhook,
    attributes: AdmissionAttributes,
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    if (attributes.dryRun && webhook.hasSideEffects) {
      throw badRequest(`admission webhook ${JSON.stringify(webhook.name)} does not support dry run`);
    }
    try {
      return await work();
    } catch (error) {
      if (error instanceof StatusError) throw error;
      const why = `failed calling webhook ${JSON.stringify(webhook.name)}: ${(error as Error).message}`;
      if (!webhook.ignoresFailure) throw internalError(why);
      log?.(`${why}; ignored, because its failurePolicy says so`);
      return undefined;
    }
  }

  function note(webhook: Webhook, response: ReviewResponse, notes: Notes): void {
    notes.warnings.push(...response.warnings);
    for (const [key, value] of Object.entries(response.auditAnnotations)) {
      notes.annotations[`${webhook.name}/${key}`] = value;
    }
  }

  interface Turn {
    readonly webhook: Webhook;
    readonly round: number;
    readonly index: number;
  }

  async function mutateOnce(
    { webhook, round, index }: Turn,
    attributes: AdmissionAttributes,
    object: ApiObject | undefined,
    oldObject: ApiObject | undefined,
    notes: Notes,
  ): Promise<ApiObject | undefined> {
    const answer = await ask(webhook, attributes, async () => {
      const response = await askWebhook(caller, clock, webhook, reviewRequest(attributes, object, oldObject), true);
      return { response, operations: response.allowed && response.patch !== '' ? readPatch(response) : [] };
    });
    const place = `round_${round}_index_${index}`;
    const who = { configuration: webhook.configuration, webhook: webhook.name };
    if (answer === undefined) {
      notes.annotations[`failed-open.mutation.webhook.admission.k8s.io/${place}`] = webhook.name;
      return object;
    }
    const { response, operations } = answer;
    note(webhook, response, notes);
    const isChanged = response.allowed && operations.length > 0 && object !== undefined;
    notes.annotations[`mutation.webhook.admission.k8s.io/${place}`] = JSON.stringify({ ...who, mutated: isChanged });
    if (!response.allowed) throw denial(webhook.name, response.status, notes.warnings);
    if (!isChanged) return object;
    const written = { ...who, patch: operations, patchType: 'JSONPatch' };
    notes.annotations[`patch.webhook.admission.k8s.io/${place}`] = JSON.stringify(written);
    const patched = keepIdentity(applyWebhookPatch(object, operations), object, attributes);
    return isDeepStrictEqual(patched, object) ? object : patched;
  }

  /**
   * In order, each seeing what those before it made of the object. Whoever asked for it (IfNeeded) is asked once more
   * where the object changed after its turn.
   */
  async function mutateInTurn(
    attributes: AdmissionAttributes,
    given: ApiObject | undefined,
    oldObject: ApiObject | undefined,
    notes: Notes,
  ): Promise<ApiObject | undefined> {
    const webhooks = webhooksIn(mutating);
    const asked = new Set<Webhook>();
    const again = new Set<Webhook>();
    let object = given;
    for (const round of [0, 1]) {
      if (round === 1 && again.size === 0) break;
      for (const [index, webhook] of webhooks.entries()) {
        if (round === 1 && !again.has(webhook)) continue;
        if (!isAsked(webhook, attributes, object, oldObject)) continue;
        const before = object;
        object = await mutateOnce({ webhook, round, index }, attributes, object, oldObject, notes);
        if (object !== before) {
          for (const earlier of asked) again.add(earlier);
          asked.clear();
        }
        if (webhook.isReinvocable && round === 0) asked.add(webhook);
      }
    }
    return object;
  }

  return {
    async mutate(attributes, object, oldObject) {
      const notes: Notes = { warnings: [], annotations: {} };
      if (webhooksIn(mutating).length === 0 || isExempt(attributes)) return { object, ...notes };
      return { object: await mutateInTurn(attributes, object, oldObject, notes), ...notes };
    },

    async validate(attributes, object, oldObject) {
      const notes: Notes = { warnings: [], annotations: {} };
      if (webhooksIn(validating).length === 0 || isExempt(attributes)) return notes;
      const concerned = webhooksIn(validating).filter((each) => isAsked(each, attributes, object, oldObject));
      const answers = await Promise.all(
        concerned.map((webhook) =>
          ask(webhook, attributes, () =>
            askWebhook(caller, clock, webhook, reviewRequest(attributes, object, oldObject), false),
          ).then(
            (response) => ({ webhook, response }),
            (failure: unknown) => ({ webhook, failure }),
          ),
        ),
      );
      for (const answer of answers) {
        if ('response' in answer && answer.response !== undefined) note(answer.webhook, answer.response, notes);
      }
      for (const [index, answer] of answers.entries()) {
        if ('failure' in answer) throw answer.failure;
        const { webhook, response } = answer;
        if (response === undefined) {
          notes.annotations[`failed-open.validating.webhook.admission.k8s.io/round_0_index_${index}`] = webhook.name;
        } else if (!response.allowed) throw denial(webhook.name, response.status, notes.warnings);
      }
      return notes;
    },

    async stop() {
      unsubscribe();
      await caller.close();
    },
  };
}
