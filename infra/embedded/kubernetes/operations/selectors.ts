import type { ApiObject } from '../api-object.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import { badRequest } from '../status-error.ts';
import { labelRequirements } from './label-requirements.ts';

export type Selector = (object: ApiObject) => boolean;

const everything: Selector = () => true;

export function labelSelector(text: string | null): Selector {
  if (text === null || text.trim() === '') return everything;
  const requirements = labelRequirements(text);
  return ({ metadata: { labels = {} } }) => requirements.every((holds) => holds(labels));
}

/** `metadata.name=a,metadata.namespace!=b`, and the few fields that a kind offers beside. */
export function fieldSelector(text: string | null, kind: ServedKind): Selector {
  if (text === null || text.trim() === '') return everything;
  const known = [
    'metadata.name',
    ...(kind.namespaced || kind.isCustom ? ['metadata.namespace'] : []),
    ...kind.selectableFields,
  ];
  const requirements = text.split(',').map((part) => {
    const parsed = /^([^=!]+)(==|=|!=)(.*)$/.exec(part);
    if (parsed === null) {
      throw badRequest(`invalid selector: '${text}'; can't understand '${part}'`);
    }
    const [, field = '', operator, value = ''] = parsed;
    if (!known.includes(field)) throw badRequest(unsupportedField(field, kind));
    const steps = field.split('.');
    return (object: ApiObject) => (read(object, steps) === value) === (operator !== '!=');
  });
  return (object) => requirements.every((holds) => holds(object));
}

function unsupportedField(field: string, { kind, isCustom, selectableFields }: ServedKind): string {
  if (!isCustom && selectableFields.length === 0)
    return `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`;
  return kind === 'Job' ? `field label "${field}" not supported for Job` : `field label not supported: ${field}`;
}

function read(object: ApiObject, steps: readonly string[]): string {
  let value: unknown = object;
  for (const step of steps) value = (value as Record<string, unknown> | undefined)?.[step];
  return value === undefined || value === null ? '' : String(value);
}

/** The one name that a field selector asks for, so that it need not be searched. */
export function selectedName(text: string | null): string | undefined {
  return /(?:^|,)metadata\.name==?([^,]+)/.exec(text ?? '')?.[1];
}
