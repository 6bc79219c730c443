import type { ArgoStatus } from './argo-status.ts';
import { canonical } from './canonical.ts';

/** What Argo CD writes anew each time it has looked, whether it saw anything new or not. */
const volatile = ['reconciledAt', 'observedAt'];

/** Left out of a status that is too large to be kept, the largest first. */
const bulky = [[], ['resources', 'history'], ['resources', 'history', 'operationState', 'conditions', 'summary']];

export interface Kept {
  /** JSON, the same for the same meaning. */
  readonly text: string;
  /** What had to be left out. */
  readonly without: readonly string[];
}

/** The part of a status that is worth keeping and comparing: all that has a meaning, or as much of it as fits. */
export function keepStatus(status: ArgoStatus, fits: (text: string) => boolean): Kept {
  for (const without of bulky) {
    const text = canonical(
      Object.fromEntries(
        Object.entries(status).filter(([name]) => !volatile.includes(name) && !without.includes(name)),
      ),
    );
    if (fits(text)) return { text, without };
  }
  return { text: '{}', without: ['everything'] };
}
