/**
 * admit-resource: answers the API server whether an object may be written.
 *
 *   wakes on   HTTP, an AdmissionReview of admission.k8s.io/v1 for the four kinds of managed-gitops.redhat.com
 *   observes   the question alone
 *   decides    shared/domain/gitops/admit.ts
 *   commits    nothing: it answers
 *   if down    with failurePolicy Fail these kinds cannot be created or changed; without the webhook, conditions answer
 */
import { AdmissionAnswer, AdmissionReview } from '../../shared/contracts/kubernetes/admission-review.ts';
import { letIn } from '../../shared/domain/gitops/admit.ts';
import { defineWebhook } from '../../shared/runtime/define-webhook.ts';
import { type Judgement, judgeWrite } from './judge.ts';

export const admitResource = defineWebhook({
  name: 'admit-resource',
  emits: [],
  Body: AdmissionReview,
  expects:
    'Send an AdmissionReview of admission.k8s.io/v1, as kube-apiserver does with infra/kubernetes/webhooks.yaml.',

  async answer({ request }, _machine, path) {
    // The original has nothing to fill in either; its paths are asked nevertheless.
    const judgement = path.startsWith('/mutate-') ? letIn : judgeWrite(request);
    return { status: 200, body: AdmissionAnswer.parse(answerOf(request.uid, judgement)) };
  },
});

function answerOf(uid: string, judgement: Judgement): AdmissionAnswer {
  const response =
    'unreadable' in judgement
      ? { uid, allowed: false, status: { code: 400, reason: 'BadRequest', message: judgement.unreadable } }
      : judgement.refused !== undefined
        ? { uid, allowed: false, status: { code: 403, reason: 'Forbidden', message: judgement.refused } }
        : { uid, allowed: true, ...(judgement.warnings.length > 0 && { warnings: [...judgement.warnings] }) };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
}
