import type { FieldError } from '../../status-error.ts';
import { invalidValue } from './field-errors.ts';
import { fieldsAt } from './fields.ts';
import { parseQuantity } from './quantity.ts';

const standard = new Set(['cpu', 'memory', 'ephemeral-storage']);

function isContainerResource(name: string): boolean {
  return standard.has(name) || name.startsWith('hugepages-') || name.includes('/');
}

export function validateResources(resources: unknown, field: string): FieldError[] {
  const said = ['limits', 'requests'].flatMap((list) =>
    Object.entries(fieldsAt(resources, list)).flatMap(([name, quantity]) => {
      const at = `${field}.${list}[${name}]`;
      const words = isContainerResource(name)
        ? []
        : ['must be a standard resource type or fully qualified', 'must be a standard resource for containers'];
      return [...words.map((one) => invalidValue(at, name, one)), ...notNegative(quantity, at)];
    }),
  );
  const limits = fieldsAt(resources, 'limits');
  for (const [name, request] of Object.entries(fieldsAt(resources, 'requests'))) {
    const limit = limits[name];
    if (limit !== undefined && nanos(request) > nanos(limit)) {
      const words = `must be less than or equal to ${name} limit of ${String(limit)}`;
      said.push(invalidValue(`${field}.requests`, String(request), words));
    }
  }
  return said;
}

export function nanos(quantity: unknown): bigint {
  return parseQuantity(String(quantity))?.nanos ?? 0n;
}

export function notNegative(quantity: unknown, field: string): FieldError[] {
  if (nanos(quantity) >= 0n) return [];
  return [invalidValue(field, String(quantity), 'must be greater than or equal to 0')];
}
