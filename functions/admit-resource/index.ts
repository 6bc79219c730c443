/**
 * admit-resource: answers the API server whether an object may be written.
 *
 *   wakes on   HTTP, an AdmissionReview of admission.k8s.io/v1 for the kinds of infra/kubernetes/webhooks.yaml
 *   observes   the question; where an Environment gets a place or goes, those of its namespace; for a new Binding, the others
 *   decides    shared/domain/gitops/admit.ts, shared/domain/environment/admit-environment.ts, shared/domain/claim/admit-claim.ts
 *   commits    nothing: it answers
 *   if down    with failurePolicy Fail these kinds cannot be written; without the webhook, CRDs, finalizers and conditions answer
 */
import { AdmissionAnswer, AdmissionReview } from '../../shared/contracts/kubernetes/admission-review.ts';
import { letIn } from '../../shared/domain/gitops/admit.ts';
import { defineWebhook } from '../../shared/runtime/define-webhook.ts';
import type { Machine } from '../../shared/runtime/machine.ts';
import { type Judgement, judgeWrite } from './judge.ts';
import type { Sight } from './judge-environment.ts';

/** The API server waits for five seconds. */
const limitMs = 4_000;

export const admitResource = defineWebhook({
  name: 'admit-resource',
  emits: [],
  Body: AdmissionReview,
  expects:
    'Send an AdmissionReview of admission.k8s.io/v1, as kube-apiserver does with infra/kubernetes/webhooks.yaml.',

  // Where the cluster cannot be looked at, this throws: no answer is given, and failurePolicy decides.
  async answer({ request }, machine, path) {
    // The original has nothing to fill in either; its paths are asked nevertheless.
    const judgement = path.startsWith('/mutate-') ? letIn : await judgeWrite(request, sightOf(machine));
    return { status: 200, body: AdmissionAnswer.parse(answerOf(request.uid, judgement)) };
  },
});

/** A stranger must not learn from an answer what is in the cluster: where anybody may ask, nothing is looked at. */
function sightOf({ openFunctions = [], world }: Machine): Sight {
  if (openFunctions.includes('admit-resource')) return undefined;
  return () => ({ cluster: world.clusters.local, signal: AbortSignal.timeout(limitMs) });
}

function answerOf(uid: string, judgement: Judgement): AdmissionAnswer {
  const response =
    'unreadable' in judgement
      ? { uid, allowed: false, status: { code: 400, reason: 'BadRequest', message: judgement.unreadable } }
      : judgement.refused !== undefined
        ? { uid, allowed: false, status: { code: 403, reason: 'Forbidden', message: judgement.refused } }
        : { uid, allowed: true, ...(judgement.warnings.length > 0 && { warnings: [...judgement.warnings] }) };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
}
