import { describe, expect, it } from 'vitest';
import { admitClaim } from '../../../shared/domain/claim/admit-claim.ts';
import type { Claim } from '../../../shared/domain/claim/claim.ts';
import { letIn } from '../../../shared/domain/gitops/admit.ts';

type Written = Parameters<typeof admitClaim>[0];

const bound: Written = {
  phase: 'Bound',
  className: 'small',
  arch: 'amd64',
  targetName: 'one',
  resources: { requests: { cpu: '500m', memory: '1Gi' }, limits: { cpu: '1' } },
};

describe('a claim that is not bound', () => {
  it.each<Claim['phase']>(['', 'Pending', 'Lost'])('may become anything while it is "%s"', (phase) => {
    const other = { ...bound, className: 'large', arch: '', targetName: '', resources: undefined };

    expect(admitClaim(other, { ...bound, phase })).toEqual(letIn);
  });

  it('may be created as anything, even with a phase', () => {
    expect(admitClaim(bound, undefined)).toEqual(letIn);
  });
});

describe('a bound claim', () => {
  it.each<[string, Partial<Written>, string | undefined]>([
    ['stays as it is', {}, undefined],
    ['of another class', { className: 'large' }, 'deploymentTargetClassName of a bound claim cannot be updated'],
    ['without its class', { className: '' }, 'deploymentTargetClassName of a bound claim cannot be updated'],
    ['of another architecture', { arch: 'arm64' }, 'arch of a bound claim cannot be updated'],
    ['for another target', { targetName: 'two' }, 'targetName of a bound claim cannot be updated'],
    ['for no target', { targetName: '' }, 'targetName of a bound claim cannot be updated'],
  ])('%s', (_what, but, refused) => {
    expect(admitClaim({ ...bound, ...but }, bound)).toEqual({ refused, warnings: [] });
  });

  it('may get a target name where it had none, as the binder writes it', () => {
    expect(admitClaim(bound, { ...bound, targetName: '' })).toEqual(letIn);
  });

  it.each<[string, Written['resources'], string | undefined]>([
    ['grow', { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1500m' } }, undefined],
    ['be written in another way', { requests: { cpu: '0.5', memory: '1024Mi' }, limits: { cpu: '1000m' } }, undefined],
    ['name more', { ...bound.resources, limits: { cpu: '1', 'nvidia.com/gpu': '1' } }, undefined],
  ])('its resources may %s', (_what, resources, refused) => {
    expect(admitClaim({ ...bound, resources }, bound)).toEqual({ refused, warnings: [] });
  });

  it.each<[string, Written['resources'], string]>([
    [
      'shrink',
      { ...bound.resources, requests: { cpu: '499m', memory: '1Gi' } },
      'resources.requests of a bound claim may only grow',
    ],
    ['name less', { ...bound.resources, requests: { cpu: '1' } }, 'resources.requests of a bound claim may only grow'],
    ['lose the limits', { requests: bound.resources?.requests }, 'resources.limits of a bound claim may only grow'],
    [
      'go',
      undefined,
      'resources.requests of a bound claim may only grow; resources.limits of a bound claim may only grow',
    ],
  ])('its resources may not %s', (_what, resources, refused) => {
    expect(admitClaim({ ...bound, resources }, bound)).toEqual({ refused, warnings: [] });
  });

  it('a name that every object knows is no amount', () => {
    const stored = { ...bound, resources: { requests: { constructor: '0' } } };

    expect(admitClaim({ ...bound, resources: { requests: {} } }, stored).refused).toContain('may only grow');
  });

  it('may begin to ask for resources', () => {
    expect(admitClaim(bound, { ...bound, resources: undefined })).toEqual(letIn);
    expect(admitClaim(bound, { ...bound, resources: {} })).toEqual(letIn);
  });
});
