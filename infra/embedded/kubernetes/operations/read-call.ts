import { managerName } from '../apply/manager-name.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import type { RequestAttributes } from '../request-attributes.ts';
import { type FieldError, invalid } from '../status-error.ts';
import type { Call } from './machinery.ts';

const optionKinds: Readonly<Record<string, string>> = {
  create: 'CreateOptions',
  update: 'UpdateOptions',
  patch: 'PatchOptions',
  delete: 'DeleteOptions',
  deletecollection: 'DeleteOptions',
};

/** The options of a write, from its query; wrong ones are refused together. */
export function readCall(
  kind: ServedKind,
  attributes: RequestAttributes,
  query: URLSearchParams,
  userAgent: string | undefined,
  isApply = false,
  warnings: string[] = [],
): Call {
  const optionKind = optionKinds[attributes.verb] ?? 'ListOptions';
  const errors: FieldError[] = [];
  const dryRun = query.getAll('dryRun');
  if (dryRun.some((value) => value !== 'All')) {
    const listed = JSON.stringify(dryRun).replaceAll(',', ',');
    errors.push({
      reason: 'FieldValueNotSupported',
      field: 'dryRun',
      message: `Unsupported value: ${listed}: supported values: "All"`,
    });
  }
  const validation = query.get('fieldValidation') || 'Warn';
  if (!['Strict', 'Warn', 'Ignore'].includes(validation)) {
    errors.push({
      reason: 'FieldValueNotSupported',
      field: 'fieldValidation',
      message: `Unsupported value: "${validation}": supported values: "", "Ignore", "Strict", "Warn"`,
    });
  }
  const manager = query.get('fieldManager') ?? '';
  if (isApply && manager === '') {
    errors.push({
      reason: 'FieldValueRequired',
      field: 'fieldManager',
      message: 'Required value: is required for apply patch',
    });
  }
  if (manager.length > 128) {
    errors.push({
      reason: 'FieldValueTooLong',
      field: 'fieldManager',
      message: 'Too long: may not be more than 128 bytes',
    });
  }
  if (!isApply && attributes.verb === 'patch' && query.has('force')) {
    errors.push({
      reason: 'FieldValueForbidden',
      field: 'force',
      message: 'Forbidden: may not be specified for non-apply patch',
    });
  }
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: optionKind }, '', errors);
  return {
    kind,
    attributes,
    dryRun: dryRun.length > 0,
    fieldManager: managerName(manager === '' ? undefined : manager, userAgent),
    fieldValidation: validation as Call['fieldValidation'],
    options: {
      // A patch reaches admission as the update that comes of it; only an apply stays what it is.
      kind: attributes.verb === 'patch' && !isApply ? 'UpdateOptions' : optionKind,
      apiVersion: 'meta.k8s.io/v1',
      ...(dryRun.length > 0 ? { dryRun } : {}),
      ...(manager === '' ? {} : { fieldManager: manager }),
      ...(query.has('fieldValidation') ? { fieldValidation: validation } : {}),
      ...(isApply ? { force: query.get('force') === 'true' } : {}),
    },
    warnings,
    annotations: {},
  };
}
