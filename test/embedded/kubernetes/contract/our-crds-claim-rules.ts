import type { Fields, OurKind } from './our-crds-objects.ts';

/** An object that was, what its spec becomes (both on top of the least spec), and what the refusal says. */
export interface ChangeCase {
  readonly what: string;
  readonly kind: OurKind;
  readonly from?: Fields;
  readonly to: Fields;
  /** Reported before the change. */
  readonly status?: Fields;
  readonly error?: string;
}

const bound = { status: { phase: 'Bound' } };
const requests = (fields: Fields) => ({ resources: { requests: fields } });
const limits = (fields: Fields) => ({ resources: { limits: fields } });
const smaller = 'spec.resources.requests: Invalid value: resources.requests of a bound claim may only grow';
const smallerLimits = 'spec.resources.limits: Invalid value: resources.limits of a bound claim may only grow';
const fixedClass =
  'spec.deploymentTargetClassName: Invalid value: deploymentTargetClassName of a bound claim cannot be updated';

/** What a claim may still change once it is bound. */
export const claimCases: readonly ChangeCase[] = [
  {
    what: 'another class',
    kind: 'DeploymentTargetClaim',
    from: { deploymentTargetClassName: 'a' },
    to: { deploymentTargetClassName: 'b' },
    ...bound,
    error: fixedClass,
  },
  {
    what: 'no class any more',
    kind: 'DeploymentTargetClaim',
    from: { deploymentTargetClassName: 'a' },
    to: {},
    ...bound,
    error: fixedClass,
  },
  {
    what: 'another class while it waits',
    kind: 'DeploymentTargetClaim',
    from: { deploymentTargetClassName: 'a' },
    to: { deploymentTargetClassName: 'b' },
    status: { phase: 'Pending' },
  },
  {
    what: 'another class before any phase',
    kind: 'DeploymentTargetClaim',
    from: { deploymentTargetClassName: 'a' },
    to: { deploymentTargetClassName: 'b' },
  },
  {
    what: 'another architecture',
    kind: 'DeploymentTargetClaim',
    from: { arch: 'amd64' },
    to: { arch: 'arm64' },
    ...bound,
    error: 'spec.arch: Invalid value: arch of a bound claim cannot be updated',
  },
  {
    what: 'another target',
    kind: 'DeploymentTargetClaim',
    from: { targetName: 'a' },
    to: { targetName: 'b' },
    ...bound,
    error: 'spec.targetName: Invalid value: targetName of a bound claim cannot be updated',
  },
  { what: 'a first target', kind: 'DeploymentTargetClaim', from: {}, to: { targetName: 'a' }, ...bound },
  {
    what: 'less memory',
    kind: 'DeploymentTargetClaim',
    from: requests({ memory: '1Gi' }),
    to: requests({ memory: '1000Mi' }),
    ...bound,
    error: smaller,
  },
  {
    what: 'no processors any more',
    kind: 'DeploymentTargetClaim',
    from: requests({ memory: '1Gi', cpu: 1 }),
    to: requests({ memory: '1Gi' }),
    ...bound,
    error: smaller,
  },
  {
    what: 'no requests any more',
    kind: 'DeploymentTargetClaim',
    from: requests({ memory: '1Gi' }),
    to: {},
    ...bound,
    error: smaller,
  },
  {
    what: 'as much memory in another unit',
    kind: 'DeploymentTargetClaim',
    from: requests({ memory: '1Gi', cpu: 1 }),
    to: requests({ memory: '1024Mi', cpu: '1500m' }),
    ...bound,
  },
  {
    what: 'less memory while it waits',
    kind: 'DeploymentTargetClaim',
    from: requests({ memory: '1Gi' }),
    to: requests({ memory: '1Mi' }),
  },
  {
    what: 'a lower limit',
    kind: 'DeploymentTargetClaim',
    from: limits({ cpu: 2 }),
    to: limits({ cpu: '1999m' }),
    ...bound,
    error: smallerLimits,
  },
  {
    what: 'a higher limit',
    kind: 'DeploymentTargetClaim',
    from: limits({ cpu: 2 }),
    to: limits({ cpu: '2500m' }),
    ...bound,
  },
];
