import { letIn, type Verdict } from '../gitops/admit.ts';
import { isSameValue } from '../gitops/merge-patch.ts';

interface WrittenSnapshot {
  readonly application: string;
  /** As they were sent. */
  readonly components: unknown;
}

/** A snapshot has a maker and no editor: what was frozen stays. Its names for people may change. */
export function admitSnapshotChange(written: WrittenSnapshot, stored: WrittenSnapshot): Verdict {
  if (written.application !== stored.application)
    return { refused: `application field cannot be updated to ${written.application}`, warnings: [] };
  if (isSameValue(written.components, stored.components)) return letIn;
  return { refused: `components cannot be updated to ${inWords(written.components)}`, warnings: [] };
}

/** As much as an answer should carry. */
const longest = 1_000;

function inWords(components: unknown): string {
  const text = JSON.stringify(components);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
