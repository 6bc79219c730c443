import { keepable } from '../../domain/core/keepable.ts';

/** A parameter with whatever a tenant wrote. Those for jsonb are made by asJson. */
export function asParameter<Parameter>(parameter: Parameter): Parameter {
  if (typeof parameter === 'string') return keepable(parameter) as Parameter;
  return Array.isArray(parameter) ? (parameter.map(asParameter) as Parameter) : parameter;
}

/** A parameter for jsonb. */
export function asJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!/\\u(?:0000|d[89a-f])/.test(text)) return text;
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'string') return keepable(part);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, field]) => [keepable(key), field]));
  });
}
