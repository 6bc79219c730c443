import { letIn, type Verdict } from '../gitops/admit.ts';

/** What a Binding is about. */
interface Pair {
  readonly application: string;
  readonly environment: string;
}

/** A Binding keeps what it is about for ever; what runs there may change. The words are those of the original service. */
export function admitBindingChange(written: Pair, stored: Pair): Verdict {
  const problems = (['application', 'environment'] as const)
    .filter((field) => written[field] !== stored[field])
    .map((field) => `${field} field cannot be updated to ${written[field]}`);
  return problems.length === 0 ? letIn : { refused: problems.join('; '), warnings: [] };
}

/** One Binding for each application and environment. */
export function admitBinding(
  name: string,
  { application, environment }: Pair,
  others: readonly (Pair & { readonly name: string })[],
): Verdict {
  const [twin] = others
    .filter((other) => other.name !== name && other.application === application && other.environment === environment)
    .map((other) => other.name)
    .toSorted();
  if (twin === undefined) return letIn;
  return {
    refused: `invalid SnapshotEnvironmentBinding: duplicate combination of Application (${application}) and Environment (${environment}). Duplicated by: ${twin}`,
    warnings: [],
  };
}
