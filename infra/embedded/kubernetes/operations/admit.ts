import { checkNamespaceLifecycle } from '../admission/namespace-lifecycle.ts';
import type { ApiObject } from '../api-object.ts';
import type { AdmissionAttributes } from '../request-attributes.ts';
import { settleFields } from './decode-object.ts';
import type { Call, Machinery } from './machinery.ts';

/** A write on its way, as webhooks are asked about it. */
export function admissionOf(
  call: Call,
  operation: AdmissionAttributes['operation'],
  name: string,
): AdmissionAttributes {
  return {
    ...call.attributes,
    name,
    operation,
    kind: call.kind,
    dryRun: call.dryRun,
    options: call.options,
  };
}

/** Mutating admission: gives back the object as it is to be stored, decoded anew where a webhook changed it. */
export async function mutate(
  machinery: Machinery,
  call: Call,
  attributes: AdmissionAttributes,
  object: ApiObject,
  old: ApiObject | undefined,
): Promise<ApiObject> {
  checkNamespaceLifecycle(machinery.store, attributes, object);
  const answer = await machinery.admission.mutate(attributes, object, old);
  note(call, answer);
  if (answer.object === undefined || answer.object === object) return object;
  return settleFields(answer.object, call.kind);
}

export async function validateByWebhooks(
  machinery: Machinery,
  call: Call,
  attributes: AdmissionAttributes,
  object: ApiObject | undefined,
  old: ApiObject | undefined,
): Promise<void> {
  note(call, await machinery.admission.validate(attributes, object, old));
}

function note(
  call: Call,
  { warnings, annotations }: { readonly warnings: readonly string[]; readonly annotations: Record<string, string> },
): void {
  call.warnings.push(...warnings);
  Object.assign(call.annotations, annotations);
}
