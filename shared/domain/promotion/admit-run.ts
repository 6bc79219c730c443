import { letIn, type Verdict } from '../gitops/admit.ts';
import { isSameValue } from '../gitops/merge-patch.ts';

/** As much as an answer should carry. */
const longest = 1_000;

/** What a run was made for stays: whoever wants something else makes another one. */
export function admitRunChange(written: unknown, stored: unknown): Verdict {
  if (isSameValue(written, stored)) return letIn;
  const text = JSON.stringify(written);
  const told = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return { refused: `spec cannot be updated to ${told}`, warnings: [] };
}
