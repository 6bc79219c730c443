import type { FieldError } from '../../status-error.ts';
import { forbiddenValue, invalidValue, requiredValue } from './field-errors.ts';
import { type Fields, hasField, valueAt } from './fields.ts';
import { portName } from './text-rules.ts';

const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc'];

export function validateProbe(probe: unknown, field: string): FieldError[] {
  if (typeof probe !== 'object' || probe === null) return [];
  const given = handlers.filter((name) => hasField(probe as Fields, name));
  if (given.length === 0) return [requiredValue(field, 'must specify a handler type')];
  return given.flatMap((name, index) => {
    if (index > 0) return [forbiddenValue(`${field}.${name}`, 'may not specify more than 1 handler type')];
    return name === 'exec' ? [] : validatePort(valueAt(probe, name, 'port'), `${field}.${name}.port`);
  });
}

/** A port by number or by name. */
export function validatePort(port: unknown, field: string): FieldError[] {
  if (typeof port === 'string') return portName(port).map((words) => invalidValue(field, port, words));
  const number = typeof port === 'number' ? port : 0;
  if (number >= 1 && number <= 65_535) return [];
  return [invalidValue(field, number, 'must be between 1 and 65535, inclusive')];
}
