import { z } from 'zod';
import { text } from './parts/absent.ts';
import { ClaimedResources } from './parts/compute-resources.ts';
import { conditions } from './parts/condition.ts';
import { resource } from './parts/resource.ts';
import { anyOf, type Validation } from './parts/validation.ts';

const Spec = z.object({
  deploymentTargetClassName: text('The class that makes a target for it where none fits. Empty: none is made.', 253),
  targetName: text('The one target that it wants. Empty: any that fits; the binder then writes down which.', 253),
  resources: ClaimedResources.optional().describe('How much it needs. Once it is bound it may only grow.'),
  arch: text('The architecture of the nodes that it needs. Empty: any.', 253),
});

const Status = z.object({
  phase: z
    .enum(['', 'Pending', 'Bound', 'Lost'])
    .optional()
    .transform((given) => given ?? '')
    .describe('Pending: waits for a target. Bound: has one. Lost: had one, and it is gone.'),
  conditions: conditions('How the claim is doing: ErrorOccurred and others.'),
});

/** A wish for a place to deploy to. */
export const DeploymentTargetClaim = resource({
  apiVersion: 'appstudio.redhat.com/v1alpha1',
  kind: 'DeploymentTargetClaim',
  description: 'A request for a place to deploy to, met by a target that is there or by one that is made for it.',
  spec: Spec.describe('What is needed.'),
  status: Status.describe('What is known about it.'),
});
export type DeploymentTargetClaim = z.infer<typeof DeploymentTargetClaim>;

const notBound = "!has(oldSelf.status) || !has(oldSelf.status.phase) || oldSelf.status.phase != 'Bound'";

/** Of a bound claim only the resources may change, and only upwards. The binder fills in an empty targetName. */
export const claimValidations: readonly Validation[] = [
  stays('deploymentTargetClassName'),
  stays('arch'),
  {
    rule: anyOf(
      notBound,
      "!has(oldSelf.spec.targetName) || oldSelf.spec.targetName == ''",
      '(has(self.spec.targetName) && self.spec.targetName == oldSelf.spec.targetName)',
    ),
    message: 'targetName of a bound claim cannot be updated',
    fieldPath: '.spec.targetName',
  },
  onlyGrows('requests'),
  onlyGrows('limits'),
];

function stays(field: 'deploymentTargetClassName' | 'arch'): Validation {
  const now = `self.spec.${field}`;
  const before = `oldSelf.spec.${field}`;
  return {
    rule: anyOf(notBound, `(has(${now}) ? ${now} : '') == (has(${before}) ? ${before} : '')`),
    message: `${field} of a bound claim cannot be updated`,
    fieldPath: `.spec.${field}`,
  };
}

function onlyGrows(amounts: 'requests' | 'limits'): Validation {
  const now = `self.spec.resources.${amounts}`;
  const before = `oldSelf.spec.resources.${amounts}`;
  const grown = `quantity(string(${now}[name])).compareTo(quantity(string(${before}[name]))) >= 0`;
  return {
    rule: anyOf(
      notBound,
      `!has(oldSelf.spec.resources) || !has(${before})`,
      `(has(self.spec.resources) && has(${now}) &&\n  ${before}.all(name, name in ${now} &&\n    ${grown}))`,
    ),
    message: `resources.${amounts} of a bound claim may only grow`,
    fieldPath: `.spec.resources.${amounts}`,
  };
}
