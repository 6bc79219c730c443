import { letIn, type Verdict } from '../gitops/admit.ts';
import { canonical } from '../status/canonical.ts';

/**
 * A class keeps what it was made with: targets that stand would otherwise be disposed of by another policy than the one
 * they were made under. The rule is that of its CRD, in the same words; a field that is not there differs from an empty one.
 */
export function admitClass(spec: unknown, stored: unknown): Verdict {
  if (stored === undefined || canonical(spec) === canonical(stored)) return letIn;
  return { refused: 'spec of a DeploymentTargetClass cannot be updated: create another class', warnings: [] };
}
