import type { Clock } from '../clock.ts';
import { jsonKind } from '../patch/go-text.ts';
import { type ReviewRequest, type ReviewResponse, readResponse, reviewBody } from './admission-review.ts';
import type { WebhookAnswer, WebhookCaller } from './call-webhook.ts';
import type { Webhook } from './webhook-configuration.ts';

const sentences: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
};

function statusMessage(body: string): string {
  try {
    const { kind, message } = JSON.parse(body) as { readonly kind?: unknown; readonly message?: unknown };
    return kind === 'Status' && typeof message === 'string' ? message : '';
  } catch {
    return '';
  }
}

/** Why an answer outside 2xx is no answer. */
function refusal({ code, contentType, body }: WebhookAnswer): string {
  const told = statusMessage(body);
  if (told !== '') return told;
  const sentence = sentences[code];
  if (sentence !== undefined) return sentence;
  const shown = contentType.startsWith('application/json') || body === '' ? 'unknown' : body.slice(0, 2048);
  if (code === 403) return shown;
  if (code >= 500) return `an error on the server (${JSON.stringify(shown)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${code} but did not return more information`;
}

/** Waits for the webhook at most as long as its configuration says. */
async function callInTime(caller: WebhookCaller, clock: Clock, webhook: Webhook, body: string): Promise<WebhookAnswer> {
  const url = new URL(webhook.url);
  url.searchParams.set('timeout', `${webhook.timeoutSeconds}s`);
  const abort = new AbortController();
  let cancel = () => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(webhook.timeoutSeconds * 1000, () => {
      reject(new Error('context deadline exceeded'));
      abort.abort();
    });
  });
  try {
    const answer = caller.call({ url: url.href, caBundle: webhook.caBundle, body, signal: abort.signal });
    // Where the deadline wins, what becomes of the call is of no interest any more.
    answer.catch(() => undefined);
    return await Promise.race([answer, late]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`failed to call webhook: Post ${JSON.stringify(url.href)}: ${reason}`, { cause: error });
  } finally {
    cancel();
  }
}

/** Asks one webhook. Throws an Error whose text follows `failed calling webhook "x": `. */
export async function askWebhook(
  caller: WebhookCaller,
  clock: Clock,
  webhook: Webhook,
  request: ReviewRequest,
  mayPatch: boolean,
): Promise<ReviewResponse> {
  const answer = await callInTime(caller, clock, webhook, reviewBody(request));
  if (answer.code < 200 || answer.code >= 300) throw new Error(`failed to call webhook: ${refusal(answer)}`);
  if (answer.body === '') {
    throw new Error(
      `failed to call webhook: 0-length response with status code: ${answer.code} and content type: ${answer.contentType}`,
    );
  }
  return readResponse(answer.body, request.uid, mayPatch);
}

/** The operations of a patch. Throws as `askWebhook` does. */
export function readPatch({ patch, patchType }: ReviewResponse): readonly unknown[] {
  let operations: unknown;
  try {
    operations = JSON.parse(Buffer.from(patch, 'base64').toString('utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`received undecodable patch in webhook response: ${why}`);
  }
  if (!Array.isArray(operations)) {
    throw new Error(
      `received undecodable patch in webhook response: json: cannot unmarshal ${jsonKind(operations)} into Go value of type jsonpatch.Patch`,
    );
  }
  if (operations.length > 0 && patchType !== 'JSONPatch') {
    throw new Error(`unsupported patch type ${JSON.stringify(patchType)}`);
  }
  return operations;
}
