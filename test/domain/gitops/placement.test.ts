import { describe, expect, it } from 'vitest';
import { chooseEngine, type Engine } from '../../../shared/domain/gitops/placement.ts';

const anEngine = (instanceId: string, but: Partial<Engine> = {}): Engine => ({
  instanceId,
  namespace: instanceId,
  clusterId: 'cluster',
  local: true,
  transport: 'queue',
  acceptsTenants: true,
  tenants: 0,
  ...but,
});

describe('a tenant is placed', () => {
  it('where it is already, however full and closed that is', () => {
    const placed = anEngine('full', { tenants: 900, acceptsTenants: false });

    expect(chooseEngine({ placed, engines: [anEngine('empty')] })).toBe(placed);
  });

  it('on the Argo CD with the fewest tenants', () => {
    const engines = [anEngine('a', { tenants: 3 }), anEngine('b', { tenants: 1 }), anEngine('c', { tenants: 2 })];

    expect(chooseEngine({ placed: undefined, engines })?.instanceId).toBe('b');
  });

  it('on the same one whatever the order they are listed in', () => {
    const engines = [anEngine('b'), anEngine('a')];

    expect(chooseEngine({ placed: undefined, engines })?.instanceId).toBe('a');
    expect(chooseEngine({ placed: undefined, engines: engines.toReversed() })?.instanceId).toBe('a');
  });

  it('never on one that takes no more', () => {
    expect(chooseEngine({ placed: undefined, engines: [anEngine('a', { acceptsTenants: false })] })).toBeUndefined();
  });

  it('in its own cluster where an Argo CD is there, because only that one reaches its own namespace', () => {
    const engines = [anEngine('far', { local: false }), anEngine('near', { tenants: 50 })];

    expect(chooseEngine({ placed: undefined, engines })?.instanceId).toBe('near');
  });

  it('in another cluster where no other Argo CD is left', () => {
    const engines = [anEngine('far', { local: false }), anEngine('near', { acceptsTenants: false })];

    expect(chooseEngine({ placed: undefined, engines })?.instanceId).toBe('far');
  });
});
