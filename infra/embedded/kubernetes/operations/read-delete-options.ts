import type { DeleteOptions } from '../internal-api.ts';
import { badRequest, type FieldError, invalid } from '../status-error.ts';
import { parseBody } from './decode-object.ts';

interface DeleteBody extends DeleteOptions {
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: readonly string[];
  readonly orphanDependents?: boolean;
}

const policies = ['Foreground', 'Background', 'Orphan'];

/** The options of a deletion, from its body and its query. */
export function readDeleteOptions(
  text: string,
  query: URLSearchParams,
): DeleteOptions & { readonly isDryRun: boolean } {
  const body = (text === '' ? {} : parseBody(text, 'DeleteOptions').value) as DeleteBody | null;
  if (typeof body !== 'object' || body === null)
    throw badRequest('the body of a deletion must be a DeleteOptions object');
  const policy = body.propagationPolicy ?? query.get('propagationPolicy') ?? undefined;
  const orphan = body.orphanDependents ?? readFlag(query.get('orphanDependents'));
  if (policy !== undefined && orphan !== undefined) {
    throw refused(
      'FieldValueInvalid',
      'Invalid value: "": orphanDependents and deletionPropagation cannot be both set',
    );
  }
  if (policy !== undefined && !policies.includes(policy)) {
    const supported = [...policies, 'nil'].map((one) => `"${one}"`).join(', ');
    throw refused('FieldValueNotSupported', `Unsupported value: "${policy}": supported values: ${supported}`);
  }
  const { uid, resourceVersion } = body.preconditions ?? {};
  const chosen = policy ?? (orphan === undefined ? undefined : orphan ? 'Orphan' : 'Background');
  return {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(chosen === undefined ? {} : { propagationPolicy: chosen as NonNullable<DeleteOptions['propagationPolicy']> }),
    isDryRun: body.dryRun?.includes('All') ?? false,
  };
}

function refused(reason: FieldError['reason'], message: string): Error {
  return invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', [
    { reason, field: 'propagationPolicy', message },
  ]);
}

function readFlag(text: string | null): boolean | undefined {
  return text === null ? undefined : text === 'true';
}
