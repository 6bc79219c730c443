import { describe, expect, it } from 'vitest';
import type { Resources } from '../../../shared/domain/core/quantity.ts';
import { withDefaults } from '../../../shared/domain/overlay/default-resources.ts';

const requests = { cpu: '10m', memory: '50Mi' };
const limits = { cpu: '1', memory: '512Mi' };

describe('M07 resources', () => {
  it.each<[string, Resources, Resources]>([
    ['both are usual where none is given', {}, { requests, limits }],
    ['what is given but empty is not given', { requests: {}, limits: {} }, { requests, limits }],
    ['usual limits stand beside given requests', { requests: { cpu: '20m' } }, { requests: { cpu: '20m' }, limits }],
    ['usual requests stand beside given limits', { limits: { cpu: '2' } }, { requests, limits: { cpu: '2' } }],
    [
      'no usual request is above its limit',
      { limits: { cpu: '5m', memory: '50Mi' } },
      { requests: { memory: '50Mi' }, limits: { cpu: '5m', memory: '50Mi' } },
    ],
    [
      'no usual limit is below its request',
      { requests: { cpu: '1001m', memory: '1Gi' } },
      { requests: { cpu: '1001m', memory: '1Gi' }, limits: undefined },
    ],
    [
      'nothing is added where both are given',
      { requests: { cpu: '1' }, limits: { memory: '1Gi' } },
      { requests: { cpu: '1' }, limits: { memory: '1Gi' } },
    ],
  ])('%s', (_rule, given, expected) => {
    expect(withDefaults(given)).toEqual(expected);
  });
});
